import type { MenuItemConstructorOptions } from 'electron'

type Template = readonly MenuItemConstructorOptions[]

/** Mnemonic of a label: a letter after a single ampersand. */
const mnemonic = /(?<!&)(?:&&)*&([^&])/

/**
 * Gives every menu item a mnemonic, which Windows and Linux underline: the first letter of a word that no other item of
 * the menu has, else any free letter. A label may have its own. Labels with few letters choose first, and one that finds
 * no free letter takes that of another label, which then chooses again: a long menu has one for each.
 */
export function withMnemonics(template: Template): MenuItemConstructorOptions[] {
  const own = template.flatMap(({ label = '' }) => mnemonic.exec(label)?.[1]?.toLowerCase() ?? [])
  const without = template.flatMap(({ label }) =>
    label === undefined || mnemonic.test(label) ? [] : [label],
  )
  const labels = new Map(
    [...chooseLetters(without, new Set(own))].map(([letter, label]) => [
      label,
      marked(label, letter),
    ]),
  )
  return template.map((item) => {
    const { label, submenu } = item
    return {
      ...item,
      ...(label === undefined ? {} : { label: labels.get(label) ?? label }),
      ...(Array.isArray(submenu) ? { submenu: withMnemonics(submenu) } : {}),
    }
  })
}

/** Returns labels by their letters. */
function chooseLetters(
  labels: readonly string[],
  reserved: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const owners = new Map<string, string>()
  /** @param asked letters that were asked for already */
  function choose(label: string, asked: Set<string>): boolean {
    const letters = lettersOf(label).filter((letter) => !reserved.has(letter))
    const free = letters.find((letter) => !owners.has(letter))
    const letter =
      free ??
      letters.find((taken) => {
        if (asked.has(taken)) return false
        asked.add(taken)
        return choose(owners.get(taken) ?? '', asked)
      })
    if (letter !== undefined) owners.set(letter, label)
    return letter !== undefined
  }
  const shortFirst = labels.toSorted(
    (one, other) => lettersOf(one).length - lettersOf(other).length,
  )
  for (const label of shortFirst) choose(label, new Set())
  return owners
}

/** Letters of a label, each once; the first letters of words before the others. */
function lettersOf(label: string): string[] {
  return [...new Set(placesOf(label).map(([letter]) => letter.toLowerCase()))]
}

function placesOf(label: string): RegExpExecArray[] {
  return [...label.matchAll(/\b[\p{L}\p{N}]/gu), ...label.matchAll(/[\p{L}\p{N}]/gu)]
}

function marked(label: string, letter: string): string {
  const place = placesOf(label).find(([found]) => found.toLowerCase() === letter)
  return place === undefined ? label : `${label.slice(0, place.index)}&${label.slice(place.index)}`
}
