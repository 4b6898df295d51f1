// What is said of a value that does not fit its schema, where the schema itself has no words for
// it: a sentence that says what to do.
import type { z } from 'zod'

type RawIssue = Parameters<z.core.$ZodErrorMap>[0]

const NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
}

/** Of the names that a stranger sends: enough to find them, and no more. */
const MOST_NAMED = 5
const MOST_OF_NAME = 40

/** For `safeParse(value, { error: issueWords })`: the words of a schema come before these. */
export function issueWords(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type': {
      const wanted = NAMES[issue.expected] ?? 'a value as /openapi.json describes it'
      return issue.input === undefined ? `It is missing: send ${wanted}.` : `It has the wrong type: send ${wanted}.`
    }
    case 'too_small':
      return issue.origin === 'string'
        ? `It is too short: send at least ${characters(issue.minimum)}.`
        : `It is too small: send at least ${issue.minimum}.`
    case 'too_big':
      return issue.origin === 'string'
        ? `It is too long: send at most ${characters(issue.maximum)}.`
        : `It is too large: send at most ${issue.maximum}.`
    case 'invalid_value': {
      const given = typeof issue.input === 'string' ? issue.input.toLowerCase() : undefined
      const meant = issue.values.find((value) => String(value).toLowerCase() === given)
      if (meant !== undefined) return `Capitals and small letters count: send ${String(meant)}.`
      return `It is not among the values that are taken: send ${oneOf(issue.values.map(String))}.`
    }
    case 'unrecognized_keys': {
      const names = oneOf(issue.keys.slice(0, MOST_NAMED).map((key) => key.slice(0, MOST_OF_NAME)))
      return `There is no field ${names} here: correct the name or leave it out; /openapi.json has all of them.`
    }
    case 'invalid_key':
      return 'This key cannot be used: give it 1 to 40 characters, without control characters.'
    default:
      return 'It does not have the form that /openapi.json describes: correct it, or leave it out where it is optional.'
  }
}

const characters = (count: number | bigint): string => (Number(count) === 1 ? '1 character' : `${count} characters`)

const oneOf = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
