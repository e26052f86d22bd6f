import { parseArgs } from 'node:util'

export interface Arguments {
  /** Empty: all rows. */
  rows: string[]
  /** Paths; empty: this Node and its counterpart. */
  nodes: string[]
  quick: boolean
  json: boolean
  /** Whether to write the table of test/bench/README.md. */
  readme: boolean
  help: boolean
}

export const usage = `npm run bench [-- ROW… FLAG…]

Measures the built sandbox beside bare programs and peers in the same run.

  ROW            row to measure; default: all
  --node PATH    measure on this Node; repeatable (default: this one and its counterpart, 20 or 24)
  --quick        few rounds and small amounts: shows that it works, not how fast
  --readme       write the table of test/bench/README.md; measures all rows
  --json         print everything as JSON
  --help         print this help

Exit codes: 0 success; 1 a goal was missed or a row failed; 2 invalid usage.
`

/** @throws {TypeError} naming the unknown row or flag */
export function readArguments(args: readonly string[], known: readonly string[]): Arguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      node: { type: 'string', multiple: true, default: [] },
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      readme: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
    allowPositionals: true,
  })
  const unknown = positionals.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    throw new TypeError(`unknown row: ${unknown.join(', ')}; use ${known.join(', ')}`)
  }
  if (values.readme && positionals.length > 0) {
    throw new TypeError('--readme measures all rows: name none')
  }
  const { node: nodes, ...flags } = values
  return { ...flags, nodes, rows: positionals }
}
