// Why a statement is not compared: one sentence for the person who has the file.

export class StatementError extends Error {
  override readonly name = 'StatementError'
}
