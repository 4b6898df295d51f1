// Leaves out what is undefined, because an optional property (exactOptionalPropertyTypes) is either there or not. For several such fields
// together; the hottest paths (store/rows.ts, deposits/mover.ts, deposits/send.ts, toView) spread each field by itself, which takes half the time.

/** Where a field may be undefined, an optional property. */
export type WithoutUndefined<Fields> = {
  [Key in keyof Fields as undefined extends Fields[Key] ? never : Key]: Fields[Key]
} & {
  [Key in keyof Fields as undefined extends Fields[Key] ? Key : never]?: Exclude<Fields[Key], undefined>
}

/** The fields that have a value, in their order. */
export function withoutUndefined<Fields extends object>(fields: Fields): WithoutUndefined<Fields> {
  const kept: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) kept[key] = value
  return kept as WithoutUndefined<Fields>
}
