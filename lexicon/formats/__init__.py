"""Word files of other programs: recognise them by content, read and write them.

    file -> recognise: which format, checked edges -> read: words in tiles
    minimal graph -> write: the bytes of a file

| format | of | names its | checked by |
| --- | --- | --- | --- |
| KWG | wolges, Woogles, Macondo | nothing | structure, and its GADDAG if it has one |
| Zyzzyva .dwg | Zyzzyva | letters | structure, and a checksum in a file beside it |
| Quackle .dawg, version 1 | Quackle | alphabet, count | structure, count, hash |
| Quackle .dawg, version 0 | Quackle | nothing | structure; read only |

All are arrays of edges in sibling lists (``siblings``). An ambiguous file is rejected unless the caller names its format.
"""
