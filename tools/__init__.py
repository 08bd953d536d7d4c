"""Programs for the developer that make what is kept in the tree: splash pictures, the typeface, the practice lexicon. No package ships them."""
