// Writes down anew what the Python client asks: `npx tsx test/compat/repo-life/record.ts`
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installPythonClient } from '../../helpers/python-client.ts'
import { lifeByPython } from './by-python.ts'
import { writeContents } from './contents.ts'
import { mergeProposal, openWorld } from './outcome.ts'
import { type Recording, startRecorder } from './recording.ts'

const folder = mkdtempSync(join(tmpdir(), 'hub-sandbox-life-'))
const sandbox = await openWorld()
const recorder = await startRecorder(sandbox.url)
try {
  writeContents(folder)
  const { interpreter, obstacle } = await installPythonClient()
  if (obstacle !== undefined) throw new Error(obstacle)
  const life = lifeByPython({ interpreter, home: join(folder, 'home'), url: recorder.url })
  const asked = () => recorder.requests.splice(0)
  await life.grow(folder)
  const grow = asked()
  await mergeProposal(sandbox)
  await life.move()
  const move = asked()
  await life.end()
  const recording: Recording = { grow, move, end: asked() }
  const file = join(import.meta.dirname, 'recorded-requests.json')
  writeFileSync(file, `${JSON.stringify(recording, undefined, 2)}\n`)
} finally {
  await recorder.close()
  await sandbox.close()
  rmSync(folder, { recursive: true, force: true })
}
