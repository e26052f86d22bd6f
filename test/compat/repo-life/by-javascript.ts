import { pathToFileURL } from 'node:url'
import {
  createBranch,
  createRepo,
  deleteFile,
  deleteRepo,
  downloadFile,
  listFiles,
  repoExists,
  uploadFile,
  uploadFiles,
} from '@huggingface/hub'
import type { Life } from './seen.ts'

const accessToken = 'hf_sandbox_alice'
const repoNamed = (name: string) => ({ type: 'model', name }) as const
const text = (path: string, content: string) => ({ path, content: new Blob([content]) })

/** The life of `life.py` by the JavaScript client. */
export function lifeByJavaScript(hubUrl: string): Life {
  const at = { hubUrl, accessToken, repo: repoNamed('alice/life') }

  async function files(): Promise<{ path: string; size: number }[]> {
    const found: { path: string; size: number }[] = []
    for await (const entry of listFiles({ ...at, recursive: true })) {
      if (entry.type === 'file') found.push(entry)
    }
    return found
  }

  return {
    async grow(folder) {
      await createRepo(at)
      await uploadFile({ ...at, file: text('small.txt', 'small'), commitTitle: 'small' })
      await uploadFiles({ ...at, files: [pathToFileURL(`${folder}/data`)], commitTitle: 'folder' })
      const large = pathToFileURL(`${folder}/large.bin`)
      // The others send it by Git LFS, and what is left must be the same.
      await uploadFile({ ...at, file: large, commitTitle: 'large', useXet: false })
      const found = await files()
      const down = await downloadFile({ ...at, path: 'large.bin' })
      const part = await down?.slice(40_000_000, 40_000_010).arrayBuffer()
      const small = await (await downloadFile({ ...at, path: 'data/deep/b.csv' }))?.text()
      await createBranch({ ...at, branch: 'dev' })
      await uploadFile({ ...at, file: text('dev.txt', 'dev'), branch: 'dev', commitTitle: 'dev' })
      const mine = text('mine.txt', 'mine')
      await uploadFile({ ...at, file: mine, isPullRequest: true, commitTitle: 'proposal' })
      return {
        files: Object.fromEntries(found.map(({ path, size }) => [path, size])),
        part: Buffer.from(part ?? new ArrayBuffer()).toString('hex'),
        small: small ?? '',
      }
    },

    async move() {
      await deleteFile({ ...at, path: 'small.txt', commitTitle: 'less' })
      // The client moves no repo.
      const moved = await fetch(`${hubUrl}/api/repos/move`, {
        method: 'POST',
        headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ fromRepo: 'alice/life', toRepo: 'alice/moved', type: 'model' }),
      })
      if (!moved.ok) throw new Error(await moved.text())
      return (await files()).map(({ path }) => path)
    },

    async end() {
      await deleteRepo({ ...at, repo: repoNamed('alice/moved') })
      return repoExists({ ...at, repo: repoNamed('alice/moved') })
    },
  }
}
