// Queries are built with Kysely once, with named placeholders for values, and reused: building one
// costs more than running it.
import { sql } from 'kysely'
import type { Compilable, CompiledQuery, Kysely, OperationNodeSource, RawBuilder } from 'kysely'
import type { Tables, Values } from './tables.ts'

export type Dialect = 'sqlite' | 'postgres'

/** Stands where the value called `name` will be bound. `of`: which step of a combined statement. */
class Placeholder {
  readonly name: string
  readonly of: number

  constructor(name: string, of: number) {
    this.name = name
    this.of = of
  }
}

/**
 * An expression for the value called `name`, which is bound when the query runs. `T`: the type of
 * its column.
 */
export type Param = <T>(name: string) => RawBuilder<T>

export interface QueryContext {
  readonly db: Kysely<Tables>
  readonly p: Param
  readonly dialect: Dialect
  /** Name of the step that must have changed a row, when steps are parts of one statement. */
  readonly guard?: string
}

/** How a query is built; queries are compared and cached by identity. */
export interface Query {
  readonly name: string
  readonly build: (context: QueryContext) => Compilable & OperationNodeSource
}

export function query(name: string, build: Query['build']): Query {
  return { name, build }
}

const named = new Map<string, Query>()

/** As `query`, for a name that is asked for again and again: made once. */
export function queryOnce(name: string, build: Query['build']): Query {
  let known = named.get(name)
  if (known === undefined) named.set(name, (known = query(name, build)))
  return known
}

export function params(of = 0): Param {
  return <T>(name: string) => sql<T>`${new Placeholder(name, of)}`
}

export interface Compiled {
  readonly sql: string
  /** Values in the driver's order. `values` has one element per step, usually one. */
  bind(values: readonly Values[]): unknown[]
}

export const compile = (compilable: Compilable): Compiled => bindable(compilable.compile())

export function bindable({ sql: text, parameters }: CompiledQuery): Compiled {
  return {
    sql: text,
    bind(values) {
      const bound: unknown[] = []
      for (const parameter of parameters) {
        if (!(parameter instanceof Placeholder)) {
          bound.push(parameter)
          continue
        }
        const value = values[parameter.of]?.[parameter.name]
        if (value === undefined) throw new TypeError(`The query has no value for "${parameter.name}".`)
        bound.push(value)
      }
      return bound
    },
  }
}
