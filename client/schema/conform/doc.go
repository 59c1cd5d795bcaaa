// Package conform judges JSON values by JSON Schemas of draft-04 to 2020-12, and
// tells each keyword that a value breaks, with its place and its limit, so that
// callers can put it into their own words.
//
// It is small on purpose. The libraries that validate compile the metaschemas of
// every draft when a program starts, whether it will validate anything or not:
// 11 ms and 3 MB, which is more than all else that a command of ours does before
// its server answers. Here nothing happens at the start. The tests hold it to
// such a library, keyword by keyword and on random schemas.
//
// It fetches nothing, follows references only within the document and only by
// JSON Pointer, and asserts formats. It keeps to the schema's words: what a
// sloppy schema may have meant is for the caller to put right first.
package conform
