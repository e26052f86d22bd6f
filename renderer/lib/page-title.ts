// The title of the tab. Active overrides come first, so that a narrow tab still shows them.

let page = ''
let overrides = ''

export function setPageTitle(title: string): void {
  page = title
  write()
}

/** @param words active overrides */
export function setTitleWords(words: readonly string[]): void {
  overrides = words.join(', ')
  write()
}

function write(): void {
  document.title = [overrides && `[${overrides}]`, page && `${page} ·`, 'hub-sandbox']
    .filter(Boolean)
    .join(' ')
}
