import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = new URL('../../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const filesOf = (folder: string) =>
  readdirSync(new URL(`${folder}/`, root), { recursive: true })
    .map((path) => `${folder}/${String(path).replaceAll('\\', '/')}`)
    .filter((path) => /\.(tsx?|mjs)$/.test(path))
// The tools quote the code that they write.
const product = ['server', 'renderer', 'electron']
  .flatMap(filesOf)
  .filter((path) => !path.startsWith('server/tools/'))

/** A schema and the type of it, in one file, are one thing of one name. */
function exportedNames(path: string): Set<string> {
  const declared =
    /^export (?:async |abstract )?(?:const|let|function\*?|class|interface|type|enum) ([\w$]+)/gm
  return new Set(Array.from(read(path).matchAll(declared), ([, name = '']) => name))
}

/** What is told apart without its name, so that two may have one. */
function isToldApart(path: string, name: string): boolean {
  return (
    // Made from the schemas beside them, and the same things.
    /^server\/contract\/[a-z]+-types\.ts$/.test(path) ||
    // The receiver is a package of its own: its public types have the hub's words, as its users know them.
    path === 'server/receiver/payload.ts' ||
    isExportedByReceiver(path, name) ||
    // A component stands in JSX, where no type can.
    (path.endsWith('.tsx') && /^[A-Z]/.test(name))
  )
}

const receiverEntry = read('server/receiver/index.ts')
function isExportedByReceiver(path: string, name: string): boolean {
  return path.startsWith('server/receiver/') && new RegExp(`\\b${name}\\b`).test(receiverEntry)
}

/** One thing, seen from two sides: what is written down here has a reason to be alike. */
const sameThing = new Map([
  ['AttemptTimings', 'stored, and on the wire'],
  ['ClockReading', 'read, and on the wire, and in process'],
  ['Delivery', 'stored, and in process'],
  ['DeliveryError', 'stored, and on the wire'],
  ['DeliveryProfile', 'its name as an option, and what it stands for'],
  ['FaultMatch', 'on the wire, and in process'],
  ['FaultRule', 'on the wire, and in process'],
  ['Issue', 'found, and on the wire'],
  ['OneOf', 'one of some words, with a description on the wire'],
  ['Page', 'where a list goes on'],
  ['TokenResponse', 'on the wire, and in process'],
  ['TriggerRequest', 'on the wire, and in process'],
  ['TriggerResult', 'on the wire, and in process'],
  ['omitUndefined', 'the dashboard imports nothing of the server but its contract'],
])

describe('names', () => {
  test('stand for one thing each', () => {
    const places = new Map<string, string[]>()
    for (const path of product) {
      for (const name of exportedNames(path)) {
        if (isToldApart(path, name) || sameThing.has(name)) continue
        places.set(name, [...(places.get(name) ?? []), path])
      }
    }
    const shared = [...places].filter(([, paths]) => paths.length > 1)
    expect(Object.fromEntries(shared)).toEqual({})
  })

  test('are let out of their file only where another one takes them', () => {
    const files = [...product, ...filesOf('server/tools'), ...filesOf('test')]
    // What a user copies has its own.
    const ours = files.filter((path) => !/^test\/(kits|recipes)\//.test(path))
    const places = new Map<string, Set<string>>()
    for (const path of files) {
      for (const [word] of read(path).matchAll(/[\w$]+/g)) {
        places.set(word, (places.get(word) ?? new Set()).add(path))
      }
    }
    const values = /^export (?:async )?(?:const|let|function\*?|class) ([\w$]+)/gm
    const kept = ours.flatMap((path) =>
      Array.from(read(path).matchAll(values), ([, name = '']) => name)
        .filter((name) => places.get(name)?.size === 1)
        .map((name) => `${path}: ${name}`),
    )
    expect(kept).toEqual([])
  })

  test('of files are not met at every turn', () => {
    const counts = new Map<string, string[]>()
    for (const path of filesOf('server')) {
      const name = basename(path)
      counts.set(name, [...(counts.get(name) ?? []), path])
    }
    // A folder says of what they are the routes, the check, the schema: beyond that a name tells nothing any more.
    const frequent = [...counts].filter(([, paths]) => paths.length > 6)
    expect(Object.fromEntries(frequent)).toEqual({})
  })

  test('of constants are written as all others', () => {
    const shouted = [...product, ...filesOf('server/tools'), ...filesOf('test')].flatMap((path) =>
      Array.from(
        read(path).matchAll(/^(?:export )?const ([A-Z][A-Z\d]*(?:_[A-Z\d]+)*)\b(?= =|:)/gm),
        ([, name]) => `${path}: ${name}`,
      ),
    )
    expect(shouted).toEqual([])
  })
})
