import { join } from 'node:path'
import { compare, type Load, rateResult } from '../load.ts'
import { commitFile, dataset } from '../repos.ts'
import type { Row } from '../row.ts'
import { withFolder, withProgram, withSandbox } from '../sandbox.ts'

const content = Buffer.alloc(1000, 'A line of a file.\n')

/** Downloads of a small file by two requests each, beside a bare file server that gets the same request twice. */
export const downloadRow: Row = {
  name: 'download',
  measure: () =>
    withFolder((folder) =>
      withSandbox((sandbox) =>
        withProgram('bare-files', { file: join(folder, 'file') }, async (bare) => {
          await commitFile(sandbox, 'file.txt', content)
          await fetch(`${bare.url}/file`, { method: 'PUT', body: content })
          const comparison = await compare(
            { server: sandbox, load: inTwo(`${dataset.files}/resolve/main/file.txt`) },
            { server: bare, load: inTwo('/file') },
          )
          return [rateResult('download of 1 KB', comparison, { goal: { atLeast: 0.5 } })]
        }),
      ),
    ),
}

function inTwo(path: string): Load {
  return { scenario: 'inTwo', input: { request: { path } } }
}
