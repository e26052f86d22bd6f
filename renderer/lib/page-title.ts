// The title of the tab: what is in force stands first, where a narrow tab still shows it.

let page = ''
let inForce = ''

export function setPageTitle(title: string): void {
  page = title
  write()
}

/** @param words what bends the sandbox's answers now; empty = nothing does */
export function setTitleWords(words: readonly string[]): void {
  inForce = words.join(', ')
  write()
}

function write(): void {
  document.title = [inForce && `[${inForce}]`, page && `${page} ·`, 'hub-sandbox']
    .filter(Boolean)
    .join(' ')
}
