import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pythonPackages } from '../helpers/recipes/needs.ts'
import { recipe } from '../helpers/recipes/recipe.ts'

recipe(
  {
    folder: 'auto-retrain',
    needs: [pythonPackages],
    flags: ['--keep-token'],
    sandbox: (source, { PATH = '' }) => ({
      runJobs: { 'python:3.12': `${join(PATH, 'python')} ${join(source, 'train.py')}` },
      runJobsEnv: ['HF_TOKEN', 'MODEL', 'DATASET'],
    }),
  },
  (stage) => {
    const write = (words: string) =>
      stage.sandbox.control('POST', 'repos/dataset/alice/words/commits', {
        user: 'alice',
        title: 'Write',
        files: { 'words.txt': words },
      })
    const counts = async (): Promise<unknown> => {
      const url = `${stage.sandbox.url}/alice/counts/resolve/main/counts.json`
      const response = await fetch(url, { headers: { authorization: 'Bearer hf_sandbox_alice' } })
      return response.ok ? response.json() : response.status
    }

    test('trains once, and again after a push', async () => {
      await stage.sandbox.control('POST', 'repos', {
        user: 'alice',
        type: 'dataset',
        name: 'alice/words',
      })
      await write('one two two')
      await stage.run(['python', 'deploy.py', 'alice/words', 'alice/counts'], {
        HF_TOKEN: 'hf_sandbox_alice',
      })
      await expect.poll(counts, { timeout: 60_000 }).toEqual({ one: 1, two: 2 })
      await write('three')
      await expect.poll(counts, { timeout: 60_000 }).toEqual({ three: 1 })
    })
  },
)
