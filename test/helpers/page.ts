/** The first form of a page, as far as these pages need it: no scripts, and every value in double quotes. */
export interface PageForm {
  action: string
  /** Hidden and text inputs. */
  fields: Record<string, string>
  /** Checkboxes by value, and whether they are ticked. */
  choices: Record<string, boolean>
}

export function formOf(page: string): PageForm {
  const form = /<form[^>]* action="([^"]*)"[^>]*>(.*?)<\/form>/s.exec(page)
  if (form === null) throw new Error(`the page has no form: ${page}`)
  const inputs = [...form[2]!.matchAll(/<input\b[^>]*>/gs)].map(([tag]) => ({
    name: attribute(tag, 'name') ?? '',
    value: attribute(tag, 'value') ?? '',
    isCheckbox: attribute(tag, 'type') === 'checkbox',
    checked: /\schecked\b/.test(tag),
  }))
  return {
    action: unescape(form[1]!),
    fields: Object.fromEntries(
      inputs.filter(({ isCheckbox }) => !isCheckbox).map(({ name, value }) => [name, value]),
    ),
    choices: Object.fromEntries(
      inputs.filter(({ isCheckbox }) => isCheckbox).map(({ value, checked }) => [value, checked]),
    ),
  }
}

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]
  return value === undefined ? undefined : unescape(value)
}

const characters: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }

function unescape(text: string): string {
  return text.replaceAll(/&(lt|gt|quot|#39|amp);/g, (_match, name: string) => characters[name]!)
}
