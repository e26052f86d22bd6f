import { parseArgs } from 'node:util'

export interface Arguments {
  /** Empty: all rows. */
  rows: string[]
  /** Paths; empty: this Node and its counterpart. */
  nodes: string[]
  /** Commit or built checkout to compare with. */
  against?: string
  quick: boolean
  json: boolean
  /** Whether to write the table of test/bench/README.md. */
  readme: boolean
  help: boolean
}

export const usage = `npm run bench [-- ROW… FLAG…]

Measures the built sandbox beside bare programs and peers in the same run; with --against, beside another commit of itself.

  ROW            row to measure; default: all
  --node PATH    measure on this Node; repeatable (default: this one and its counterpart, 20 or 24)
  --against COMMIT
                 compare with this commit, which is built in a work tree, or with a
                 built checkout: CPU time of requests and deliveries
  --quick        few rounds and small amounts: shows that it works, not how fast
  --readme       write the table of test/bench/README.md; measures all rows
  --json         print everything as JSON
  --help         print this help

Exit codes: 0 success; 1 a goal was missed, a row failed, or one is slower than the other commit by more
than 10 %; 2 invalid usage.
`

/**
 * @param namesOf names of the rows, of a comparison with another build or without one
 * @throws {TypeError} naming the unknown row or flag
 */
export function readArguments(
  args: readonly string[],
  namesOf: (against?: string) => readonly string[],
): Arguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      node: { type: 'string', multiple: true, default: [] },
      against: { type: 'string' },
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      readme: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
    allowPositionals: true,
  })
  const names = namesOf(values.against)
  const unknown = positionals.filter((name) => !names.includes(name))
  if (unknown.length > 0) {
    throw new TypeError(`unknown row: ${unknown.join(', ')}; use ${names.join(', ')}`)
  }
  if (values.readme && positionals.length > 0) {
    throw new TypeError('--readme measures all rows: name none')
  }
  if (values.readme && values.against !== undefined) {
    throw new TypeError('--readme and --against exclude each other')
  }
  const { node: nodes, against, ...flags } = values
  return { ...flags, nodes, rows: positionals, ...(against === undefined ? {} : { against }) }
}
