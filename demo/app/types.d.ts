// What Vite makes of imports that TypeScript does not know.
declare module 'virtual:widget-weight' {
  /** Kilobytes of a whole payment in English, compressed by brotli. */
  export const weight: number
}
interface ImportMeta {
  glob<Value>(
    pattern: readonly string[],
    options: { readonly query: string; readonly import: string; readonly eager: true },
  ): Record<string, Value>
}
declare module '*.css'
declare module 'virtual:element' {
  /** What the element's manifest says of it. */
  export const attributes: readonly { readonly name: string; readonly description: string; readonly type: string }[]
  export const tokens: readonly { readonly name: string; readonly description: string; readonly fallback: string }[]
}
