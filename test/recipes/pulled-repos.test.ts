import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { FixturesFile } from '../../server/contract/fixtures-types.ts'
import { callerAt } from '../helpers/cast.ts'
import { commandLineWorld } from '../helpers/command-line.ts'
import { npmPackages } from '../helpers/recipes/needs.ts'
import { recipe } from '../helpers/recipes/recipe.ts'

/** Repos of the README, as small as the test allows. */
const fixtures: FixturesFile = {
  users: [{ username: 'owner', tokens: [{ token: 'hf_sandbox_owner', role: 'write' }] }],
  organizations: ['hf-internal-testing', 'cornell-movie-review-data', 'gradio'].map((name) => ({
    name,
    members: [{ user: 'owner', role: 'admin' }],
  })),
  repos: [
    {
      name: 'hf-internal-testing/tiny-random-bert',
      files: {
        'config.json': '{ "model_type": "bert" }\n',
        'pytorch_model.bin': { base64: Buffer.alloc(1_500_000, 7).toString('base64'), lfs: true },
      },
    },
    {
      type: 'dataset',
      name: 'cornell-movie-review-data/rotten_tomatoes',
      files: { 'train.parquet': { base64: 'UEFSMQ==', lfs: true }, 'README.md': '# reviews\n' },
    },
    {
      type: 'space',
      name: 'gradio/hello_world',
      sdk: 'gradio',
      files: { 'README.md': '---\nsdk: gradio\n---\n', 'app.py': 'import gradio\n' },
    },
  ],
}

interface Workflow {
  jobs: Record<'test' | 'compare', { steps: { run?: string }[] }>
}

recipe({ folder: 'pulled-repos', needs: [npmPackages], sandbox: { fixtures } }, (stage) => {
  const { execute, run } = commandLineWorld()
  const commands = (file: string) =>
    [
      ...readFileSync(join(stage.folder, file), 'utf8').matchAll(/^npx --no hub-sandbox (.*)$/gm),
    ].map(([, line = '']) => line.split(' '))
  /** Runs a command of the recipe in its folder; the sandbox of the stage plays the Hub. */
  const hubSandbox = (words: readonly string[]) =>
    run(words, { HF_ENDPOINT: stage.sandbox.url }, stage.folder).ended

  /** Pulls as the README says. @returns the command that runs the tests */
  async function pullRepos(): Promise<string[]> {
    const [pull = [], exec = []] = commands('README.md')
    expect(await hubSandbox(pull)).toMatchObject({ code: 0 })
    return exec
  }

  test('passes while the Hub refuses each request as one too many', async () => {
    const exec = await pullRepos()
    await stage.sandbox.faults.add({
      match: {},
      status: 429,
      headers: { 'retry-after': '300' },
      body: { error: 'We had to rate limit your IP' },
    })
    const env = { HF_ENDPOINT: stage.sandbox.url }
    const direct = await execute('npm', ['test'], env, stage.folder).ended
    expect(direct.code).not.toBe(0)
    expect(direct.stdout).toContain('We had to rate limit your IP')
    const { code, stdout } = await hubSandbox(exec)
    expect(stdout).toMatch(/(#|ℹ) pass 1\n/)
    expect(code).toBe(0)
  })

  test('compares once a week, and fails when a repo has changed', async () => {
    await pullRepos()
    const text = readFileSync(join(stage.folder, '.github/workflows/test.yml'), 'utf8')
    const last = (parse(text) as Workflow).jobs.compare.steps.at(-1)?.run ?? ''
    const words = last.replace('npx --no hub-sandbox ', '').split(' ')
    expect(await hubSandbox(words)).toMatchObject({ code: 0 })
    const owner = callerAt(stage.sandbox, 'hf_sandbox_owner')
    await owner.postLines('/api/spaces/gradio/hello_world/commit/main', [
      { key: 'header', value: { summary: 'Change' } },
      { key: 'file', value: { path: 'app.py', content: 'import gradio as gr\n' } },
    ])
    const { code, stdout } = await hubSandbox(words)
    expect(stdout).toContain('  changed  app.py\n')
    expect(code).toBe(1)
  })
})
