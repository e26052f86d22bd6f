import { parseArgs } from 'node:util'

export interface Arguments {
  /** Empty: all rows. */
  rows: string[]
  /** Paths; empty: this Node and its counterpart. */
  nodes: string[]
  quick: boolean
  json: boolean
  /** Whether the README's table is written anew. */
  readme: boolean
  /** Whether to tell where the time of the rows goes, instead of measuring them. */
  profile: boolean
  help: boolean
}

export const usage = `npm run bench [-- ROW… FLAG…]

Measures the sandbox as its users start it against bare programs of the same run.

  ROW            one of those below; default: all
  --node PATH    measure on this Node; repeatable (default: this one and its counterpart, 20 or 24)
  --profile      tell where the time of the sandbox goes in these rows, instead of measuring them
  --quick        few rounds and small amounts: shows that it works, not how fast
  --readme       write the table of test/bench/README.md from this run, which is then one of all rows
  --json         everything as JSON
  --help         this text

Ends with 1 where a goal is missed or a row failed, with 2 for what it does not understand.
`

/** @throws {TypeError} naming what it does not know */
export function readArguments(args: readonly string[], known: readonly string[]): Arguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      node: { type: 'string', multiple: true, default: [] },
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      readme: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
    allowPositionals: true,
  })
  const unknown = positionals.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    throw new TypeError(`no such row: ${unknown.join(', ')}; there are ${known.join(', ')}`)
  }
  if (values.profile && positionals.length === 0) {
    throw new TypeError(`--profile needs a row: ${known.join(', ')}`)
  }
  if (values.readme && positionals.length > 0) {
    throw new TypeError('--readme takes a run of all rows: name none')
  }
  const { node: nodes, ...flags } = values
  return { ...flags, nodes, rows: positionals }
}
