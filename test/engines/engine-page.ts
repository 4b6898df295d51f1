// The interface of one page in any browser engine, however it is driven.
export interface EnginePage {
  /**
   * Value of an expression in the page; undefined when it throws. Expressions are written for the
   * oldest engine.
   */
  evaluate(expression: string): Promise<unknown>
  /** A click that counts as a person's, at this place of the window. */
  click(x: number, y: number): Promise<void>
  /** Addresses of all open pages. */
  addresses(): Promise<string[]>
  close(): Promise<void>
}

/** A browser to run, or why there is none here. */
export type Found = { readonly path: string } | { readonly why: string }
