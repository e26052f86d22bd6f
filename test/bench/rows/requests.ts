import { compare, rateResult } from '../load.ts'
import type { Result, Row } from '../row.ts'
import { withProgram, withSandbox } from '../sandbox.ts'
import { works } from '../works.ts'

/** Single requests, beside bare Fastify programs that respond without any work. */
export const requestsRow: Row = {
  name: 'requests',
  measure: () =>
    withSandbox((sandbox) =>
      withProgram('bare-fastify', {}, async (program) => {
        const results: Result[] = []
        for (const { what, load, bare } of works) {
          if (bare === undefined) continue
          const comparison = await compare(
            { server: sandbox, load: await load(sandbox) },
            { server: program, load: bare.load },
          )
          const goal = { atLeast: bare.atLeast }
          results.push(rateResult(what, comparison, { goal, byCpu: true }))
        }
        return results
      }),
    ),
}
