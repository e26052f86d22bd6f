import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** Phrases that readers have to decode, each with plain wording. Single words are in `.cspell.json`. */
const phrases: Readonly<Record<string, string>> = {
  'cannot be meant': 'is invalid',
  'in force': 'active',
  'is none of the': 'is not one of the',
  'is no json': 'is not JSON, or is invalid JSON',
  'is no number': 'is not a number',
  'is there no more': 'was deleted, or has expired',
  'let go of': 'release',
  'lets go of': 'releases',
  'made anew': 'recreated',
  'is told': 'receives, or is notified',
  'are told': 'receive, or are notified',
  'was told': 'received, or was notified',
  'be told': 'be reported, or be shown',
  'nobody is': 'no user is',
  'nobody can': 'no user can',
  'nobody knows': 'unknown',
  'nobody else': 'no other user, or client',
  'who sits at': 'the user of',
}

export interface FoundPhrase {
  line: number
  phrase: string
  use: string
}

/** Finds the phrases in prose, comments and strings, across the line ends of a comment too. */
export function findPhrases(text: string): FoundPhrase[] {
  return Object.entries(phrases).flatMap(([phrase, use]) => {
    const words = phrase.split(' ').join(String.raw`\s+(?:(?:\*|//|#)\s+)?`)
    // "Told apart" is plain English.
    const found = text.matchAll(new RegExp(String.raw`\b${words}\b(?!\s+apart)`, 'gi'))
    return Array.from(found, ({ index }) => ({
      line: text.slice(0, index).split('\n').length,
      phrase,
      use,
    }))
  })
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const places = ['.github', 'electron', 'fixtures', 'renderer', 'server']

/** Files whose text a person reads, other than this one. */
function filesOfProse(): string[] {
  const below = places.flatMap((place) =>
    readdirSync(join(root, place), { recursive: true, encoding: 'utf8' }).map((name) =>
      join(place, name),
    ),
  )
  return ['README.md', ...below.filter((name) => /\.(?:md|mjs|tsx?|ya?ml|html|css)$/.test(name))]
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const itself = fileURLToPath(import.meta.url)
  for (const file of filesOfProse()) {
    if (join(root, file) === itself) continue
    for (const { line, phrase, use } of findPhrases(readFileSync(join(root, file), 'utf8'))) {
      process.stderr.write(`${file}:${line} - Use plain words for "${phrase}": ${use}\n`)
      process.exitCode = 1
    }
  }
}
