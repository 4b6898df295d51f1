// What was typed into a form.

/**
 * @returns reads the text of a field by its name, without the space around it; empty for one that
 *   is not there
 */
export function fieldsOf(form: EventTarget | null): (name: string) => string {
  const data = new FormData(form as HTMLFormElement)
  return (name) => {
    const value = data.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
}
