// What a comparison finds in one line or payment, as a code with its values, and in English.

/** The codes are stable: by them a client says it in its own language. */
const sentences = {
  paid_without_reference: 'paid {money} in line {line}, without a reference',
  reversed_without_reference: 'reversed {money} in line {line}, without a reference',
  paid_twice: 'paid twice in the statement (lines {line} and {again})',
  paid_unknown: 'paid {money} in line {line}, not known here',
  reversed_unknown: 'reversed {money} in line {line}, not known here',
  also_reversed: 'reversed {money} in line {line}',
  only_here: '{money} succeeded here, not in the statement',
  only_here_test: '{money} succeeded here in test mode, not in the statement',
  paid_there: 'paid in the statement, {phase} here',
  failed_there: 'failed in the statement, succeeded here',
  reversed_there: 'reversed in line {line} of the statement, {phase} here',
  not_final_there: 'not final in the statement, succeeded here',
  no_amount: 'no amount in line {line} of the statement',
  amount_differs: 'amount {there} in the statement, {here} here',
  currency_differs: 'currency {there} in the statement, {here} here',
  transaction_differs: 'transaction {there} in the statement, {here} here',
} as const

export type FactCode = keyof typeof sentences
export const factCodes = Object.keys(sentences) as FactCode[]

export interface Fact {
  readonly code: FactCode
  /** Texts of the statement and of ours, and numbers of lines. */
  readonly values: Record<string, string>
}

export function inEnglish({ code, values }: Fact): string {
  return withValues(sentences[code], values)
}

/** A sentence with its `{names}` replaced. */
export function withValues(sentence: string, values: Readonly<Record<string, string>>): string {
  return sentence.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
}
