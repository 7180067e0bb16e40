/** The icon of the pages of a server: a pin on a square, as a picture in an address and as `/favicon.ico`. */

/** An SVG in an address, for `<link rel="icon">`. */
export const iconAddress =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='7' fill='%230f766e'/%3E%3Cpath d='M16 6a7 7 0 0 0-7 7c0 5 7 13 7 13s7-8 7-13a7 7 0 0 0-7-7zm0 10a3 3 0 1 1 0-6 3 3 0 0 1 0 6z' fill='%23fff'/%3E%3C/svg%3E";

/** The same with 32 x 32 pixels, as an ICO that contains a PNG. */
export const iconFile = Buffer.from(
  [
    'AAABAAEAICAAAAEAIAB4AwAAFgAAAIlQTkcNChoKAAAADUlIRFIAAAAgAAAAIAgGAAAAc3p69AAAAy1JREFUeJzEl2tIk1EYx//vu6mZzhmUol',
    'HaTeuDEIUpEcmikAzyQ5BCaGYFShLWhwxCukCQRDjKLpRkH1QKKtS8ReKVVU4zsQa6Zl4ic4Zm80JzbW/nLGdOW57X5vzBYed5z3Pe57/nnJ2d',
    'R4rppKf7+riZT5FeJGmbOY7zgxMQBGGAfLSS9tpgkmRDqRy2jXG2jk9G2l4IXC4HLhALiAChD5xwzJCVUzElgASP5gS+Ei5E4CwxVAQnP5u6TL',
    'C4aYiSALgQayZM0jBesEgPuzo4xbrUbj8TeSIlEosFiS3lIE6AfIkn0nYqsHVVEMICV1qfvev7DHVvN3LqqzFqNDK/i8bm5GdOCqwTdoduwq2D',
    'h+DnLfvr+BfDd6Q+yketTgtWeFbHXSEb8Tg5xWFwSoCPHEXHT1iFOlWAr6cn7sYngJXbJEsyDw8mXymLU/yWbVju5T1l60cMOF9egmptu9Wm2b',
    'kYsx/+Mh+rvYJkKY7MyX3VMOe7mTIQEbzGzs4oeYqHLU0YGB2xNtqnz6YTOWOOI5gyEL462M5+0a6Z5VOn65ghYC1YYMqAl7v9erpL59a91N0d',
    'LDAJ0H7V29lR60Jm+UStD7WzOwb0YIFpCVQfdYgI+rOmWbEH4CaVoEbbAQnPQ7EhFJf2xdrNaej8wPJqNgFPWltwWrFnyqa7/V584j/nFDY3gg',
    'WmJdD096GJHLWs1JGTsHtokMmX+SQ8V1rE5EduP8gsY/MVJUDd04Witrdz+hW8UaON/Dk5XQAls6wYJrPZ4fi4aYKckMUQgygBn4a/Ibu2yuH4',
    '5eflGBwbw4IJoGRVVaK5t2fW83rys7vZUAOxiBZgtlhwpCDP7uLRbzAgKT8P80G0AApdihRy8aDQXX+08AGGxsWl3oaUXIf05GrkD5GUatqgJP',
    'uBfntVVyfmA41NTkKBVCxcNObBhYpn+D+EVp77XTItCjQ2b+Qld0guhuFqSEwam/9xRdltEZAMF0NiJtHYEmpMvGxs99gRriZdBalYZFhAJovT',
    'uJGrN0qpLbENGFVqnTF8+30P3jJBTdJkpDz3ghOYLM9VpBWQ8jzBeO36e9vYLwAAAP//KFQYCgAAAAZJREFUAwB3yhtEBDWuzgAAAABJRU5Erk',
    'Jggg==',
  ].join(''),
  'base64',
);
