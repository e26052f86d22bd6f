import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '../../server/index.ts'
import { stateFormatVersion } from '../../server/store/state.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'
import { uncheckedSnapshot } from '../helpers/unchecked-snapshot.ts'

test('a data folder of a version before 0.1 is refused, with the way out, and left unchanged', async () => {
  const data = temporaryDirectory()
  const first = await startSandbox({ data })
  await first.close()
  const file = join(data, 'state.json')
  const aged = uncheckedSnapshot(readFileSync(file, 'utf8')).replace(
    `{"format":${stateFormatVersion},`,
    `{"format":${stateFormatVersion - 1},`,
  )
  writeFileSync(file, aged)
  await expect(startSandbox({ data })).rejects.toThrow(
    /state\.json.*written by a version before 0\.1[^]*Start with --reset/,
  )
  expect(readFileSync(file, 'utf8')).toBe(aged)
  const again = await startSandbox({ data, reset: true })
  onTestFinished(() => again.close())
  expect((await fetch(`${again.url}/_sandbox/health`)).status).toBe(200)
})
