// What text may hold that comes from others and goes on to databases, notices and pages.

/** One line: no control characters, no halves of characters, no line separators. Some JSON readers and PostgreSQL take no others. */
export const ONE_LINE = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u
/** The same for text of several lines: what no reader takes is refused, that is NUL and halves of characters. */
export const LINES = /^[^\0\p{Cs}]*$/u
export const NOT_TEXT = 'It has characters that cannot be used.'
