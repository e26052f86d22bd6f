/** Returns the fields of the first form of a page, as a browser would send them. */
export function formOf(page: string): Record<string, string> {
  const [form = ''] = /<form[\s\S]*?<\/form>/.exec(page) ?? []
  const fields: Record<string, string> = {}
  for (const [input] of form.matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
    const attribute = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(input)?.[1] ?? ''
    fields[attribute('name')] = attribute('value')
  }
  return fields
}
