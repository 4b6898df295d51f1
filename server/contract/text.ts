// Which characters are allowed in text from others that goes on to databases, notices and pages.

/** One line: no control characters, lone surrogates or line separators, which PostgreSQL and some JSON readers refuse. */
export const ONE_LINE = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u
/** The same for text of several lines: refuses only NUL and lone surrogates, which no reader accepts. */
export const LINES = /^[^\0\p{Cs}]*$/u
/** Line breaks and tabs become one space: a text of several lines as the service takes it. */
export const oneLine = (text: string): string => text.replace(/[\t-\r\u2028\u2029]+/g, ' ').trim()
/** A phone number as people write it, in European or Arabic digits. */
export const PHONE = /^(?=.*[0-9\u0660-\u0669\u06f0-\u06f9])\+?[0-9\u0660-\u0669\u06f0-\u06f9 ()\-.]{1,24}$/
export const NOT_TEXT = 'It has characters that cannot be used.'
