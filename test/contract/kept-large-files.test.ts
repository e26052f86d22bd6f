import { createRepo, downloadFile } from '@huggingface/hub'
import { expect, test } from 'vitest'
import type { FixturesFile } from '../../server/contract/fixtures-types.ts'
import { type Sandbox, startSandbox } from '../../server/index.ts'
import { callerAt } from '../helpers/cast.ts'
import { noise, uploadByXet } from '../helpers/xet-files.ts'

const accessToken = 'hf_sandbox_alice'
const repo = { type: 'model', name: 'alice/weights' } as const
const contents = {
  'w.safetensors': noise(300_000),
  'text.bin': Buffer.from('text '.repeat(30_000)),
}

/** What clients see of the large files of the repo. */
async function seen(sandbox: Sandbox) {
  const alice = callerAt(sandbox, accessToken)
  const tree = await alice.get<{ path: string }[]>(`/api/models/${repo.name}/tree/main`)
  return tree.body.filter(({ path }) => path in contents)
}
const filesOf = ({ repos }: FixturesFile) => repos?.find(({ name }) => name === repo.name)

async function sent(): Promise<Sandbox> {
  const sandbox = await startSandbox()
  await createRepo({ repo, accessToken, hubUrl: sandbox.url })
  for (const [path, content] of Object.entries(contents)) {
    await uploadByXet(sandbox.url, content, { name: repo.name, path, isNew: false })
  }
  return sandbox
}

test('an export holds small large files, with the hashes that their upload gave them', async () => {
  const source = await sent()
  const before = await seen(source)
  expect(before).toMatchObject([
    { path: 'text.bin', lfs: { size: 150_000 }, xetHash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    { path: 'w.safetensors', lfs: { size: 300_000 } },
  ])
  const file = await source.export()
  expect(filesOf(file)?.files).toMatchObject({
    'text.bin': { text: String(contents['text.bin']), lfs: true },
    'w.safetensors': { base64: contents['w.safetensors'].toString('base64'), lfs: true },
  })
  expect(filesOf(file)?.leftOut?.join()).not.toContain('Git LFS')

  const target = await startSandbox({ fixtures: file })
  expect(await seen(target)).toEqual(before)
  for (const [path, content] of Object.entries(contents)) {
    for (const xet of [true, false]) {
      const blob = await downloadFile({ repo, accessToken, hubUrl: target.url, path, xet })
      expect(content.equals(Buffer.from((await blob?.arrayBuffer()) ?? new ArrayBuffer()))).toBe(
        true,
      )
    }
  }
  expect(filesOf(await target.export())?.files).toEqual(filesOf(file)?.files)
  await source.close()
  await target.close()
})

test('an export names large files that are too large, and holds their pointers', async () => {
  const source = await sent()
  const large = noise(9_000_000)
  await uploadByXet(source.url, large, { name: repo.name, path: 'large.bin', isNew: false })
  const { files, leftOut } = filesOf(await source.export()) ?? {}
  expect(files?.['large.bin']).toMatch(/^version https:\/\/git-lfs/)
  expect(leftOut?.[0]).toBe('the Git LFS contents of large.bin (only pointers are included)')
  expect(Object.keys(files ?? {})).toContain('w.safetensors')
  await source.close()
})
