"""Developer programs that make files of this repository: splash pictures, typeface, practice lexicon. Not packaged."""
