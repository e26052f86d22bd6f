import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../server/index.ts'
import { installPythonClient } from '../helpers/python-client.ts'
import { lifeByJavaScript } from './repo-life/by-javascript.ts'
import { lifeByPython } from './repo-life/by-python.ts'
import { large, writeContents } from './repo-life/contents.ts'
import { eventsOf, mergeProposal, openWorld, outcomeOf } from './repo-life/outcome.ts'
import { type Recording, replay, startRecorder } from './repo-life/recording.ts'
import type { Life } from './repo-life/seen.ts'

const recorded = JSON.parse(
  readFileSync(join(import.meta.dirname, 'repo-life/recorded-requests.json'), 'utf8'),
) as Recording

let folder: string
let sandbox: Sandbox

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hub-sandbox-life-'))
  writeContents(folder)
  return () => rmSync(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  sandbox = await openWorld()
  return () => sandbox.close()
})

type Lived = Awaited<ReturnType<typeof lived>>

async function lived({ grow, move, end }: Record<keyof Life, () => Promise<unknown>>) {
  const seen = await grow()
  await mergeProposal(sandbox)
  const old = await move()
  const outcome = await outcomeOf(sandbox)
  const exists = await end()
  return { saw: { seen, old, exists }, left: { outcome, events: await eventsOf(sandbox) } }
}

const living = (life: Life) => ({ ...life, grow: () => life.grow(folder) })

const files = [
  ['.gitattributes', expect.any(Number)],
  ['data/a.csv', 8],
  ['data/deep/b.csv', 8],
  ['data/empty', 0],
  ['data/with space, and ü.txt', 2],
  ['large.bin', large.length],
  ['small.txt', 5],
]
const saw = {
  seen: {
    files: Object.fromEntries(files),
    part: large.subarray(40_000_000, 40_000_010).toString('hex'),
    small: 'c,d\n3,4\n',
  },
  old: [...files.slice(0, -1).map(([path]) => path), 'mine.txt'],
  exists: false,
}

describe('the life of a repo', () => {
  /** By the JavaScript client: what becomes of the others is held against it. */
  let first: Lived['left']

  test('by @huggingface/hub is all that it should be, and each change is told once', async () => {
    const life = await lived(living(lifeByJavaScript(sandbox.url)))
    first = life.left
    expect(life.saw).toEqual(saw)
    const { main, dev, proposal, tree } = first.outcome
    const titles = (commits: { title: string }[]) => commits.map(({ title }) => title)
    const before = ['large', 'folder', 'small', 'initial commit']
    expect(titles(proposal)).toEqual(['proposal', ...before])
    expect(titles(dev)).toEqual(['dev', ...before])
    expect(titles(main)).toEqual(['less', 'proposal', ...before])
    expect(tree).toContainEqual(
      expect.objectContaining({
        path: 'large.bin',
        lfs: expect.objectContaining({ size: large.length }),
      }),
    )
    expect(first.events.map(({ what, repo }) => `${what} of ${repo}`)).toEqual([
      'repo create of alice/life',
      // Three uploads, a branch, a commit to it, the ref of the pull request.
      ...Array.from({ length: 6 }, () => 'repo.content update of alice/life'),
      'discussion create of alice/life',
      'discussion update of alice/life',
      // Merged, and a file deleted.
      'repo.content update of alice/life',
      'repo.content update of alice/life',
      'repo move of alice/life',
      'repo delete of alice/moved',
    ])
  }, 60_000)

  test('by what huggingface_hub was recorded to ask is the same, to the ids', async () => {
    const asked = (part: keyof Life) => async () => {
      const statuses = await replay(recorded[part], sandbox.url)
      expect(statuses).toEqual(recorded[part].map(({ status }) => status))
    }
    const life = await lived({ grow: asked('grow'), move: asked('move'), end: asked('end') })
    expect(life.left).toEqual(first)
  }, 60_000)

  test('by huggingface_hub is the same, and it asks what was recorded', async ({ skip }) => {
    const { interpreter, obstacle } = await installPythonClient()
    skip(obstacle !== undefined, obstacle)
    const recorder = await startRecorder(sandbox.url)
    try {
      // What it has downloaded once, it asks for no more.
      const home = mkdtempSync(join(folder, 'home-'))
      const client = lifeByPython({ interpreter, home, url: recorder.url })
      const requests: Partial<Recording> = {}
      const noting = (part: keyof Life) => async () => {
        const result = await client[part](folder)
        requests[part] = recorder.requests.splice(0)
        return result
      }
      const life = await lived({
        grow: noting('grow'),
        move: noting('move'),
        end: noting('end'),
      })
      expect(life.saw).toEqual(saw)
      expect(life.left).toEqual(first)
      expect(requests).toEqual(recorded)
    } finally {
      await recorder.close()
    }
  }, 300_000)
})
