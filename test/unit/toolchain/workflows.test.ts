import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

const root = new URL('../../../', import.meta.url)
const read = (path: string) => readFileSync(fileURLToPath(new URL(path, root)), 'utf8')

interface Step {
  uses?: string
  run?: string
  with?: Record<string, unknown>
}

interface Job {
  uses?: string
  needs?: string | string[]
  permissions?: Record<string, string>
  'timeout-minutes'?: number
  steps?: Step[]
}

interface Workflow {
  permissions?: Record<string, string>
  jobs: Record<string, Job>
}

const folder = '.github/workflows'
const names = readdirSync(new URL(folder, root))
const workflows = names.map((name) => {
  const text = read(`${folder}/${name}`)
  return { name, text, workflow: parse(text) as Workflow }
})
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
const jobsOf = (name: string) => parse(read(`${folder}/${name}`)) as Workflow

describe.each(workflows)('$name', ({ text, workflow }) => {
  const jobs = Object.entries(workflow.jobs)
  const steps = jobs.flatMap(([, job]) => job.steps ?? [])

  test('takes actions by the hash of a commit, with the version beside it', () => {
    const used = text.split('\n').filter((line) => /^\s*(- )?uses:/.test(line))
    expect(used).not.toEqual([])
    const pinned = /uses: ([\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+|\.\/\.github\/\S+)$/
    expect(used.filter((line) => !pinned.test(line))).toEqual([])
  })

  test('runs scripts that package.json and the repository have', () => {
    const run = steps.flatMap((step) => step.run ?? []).join('\n')
    const wanted = [...run.matchAll(/npm run (?:--\S+ )*([\w:-]+)/g)].map(([, name = '']) => name)
    expect(wanted.filter((name) => !(name in scripts))).toEqual([])
    for (const [path] of run.matchAll(/^\.[\w/.-]+/gm)) expect(read(path)).toMatch(/^#!/)
  })

  test('gives its token away to nothing that does not need it', () => {
    expect(workflow.permissions).toBeDefined()
    expect(Object.values(workflow.permissions ?? {})).not.toContain('write')
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'))
    expect(checkouts.map((step) => step.with?.['persist-credentials'])).toEqual(
      checkouts.map(() => false),
    )
  })

  test('ends jobs that hang', () => {
    const endless = jobs.filter(([, job]) => job.uses === undefined && !job['timeout-minutes'])
    expect(endless.map(([name]) => name)).toEqual([])
  })

  test('puts nothing that others write into a shell', () => {
    const expressions = steps.flatMap(({ run }) => run?.match(/\$\{\{.*?\}\}/g) ?? [])
    expect(expressions.filter((text) => !text.startsWith('${{ matrix.'))).toEqual([])
  })
})

describe('a release', () => {
  const { jobs } = jobsOf('release.yml')
  const needsOf = (name: string): string[] =>
    [jobs[name]?.needs ?? []].flat().flatMap((needed) => [needed, ...needsOf(needed)])

  test('has passed every test of CI before anything is published', () => {
    const tests = Object.keys(jobs).filter((name) => jobs[name]?.uses?.endsWith('/ci.yml'))
    expect(tests).toEqual(['test'])
    expect(read(`${folder}/ci.yml`)).toMatch(/^  workflow_call:$/m)
    for (const name of ['publish', 'publish-image', 'release']) {
      expect(needsOf(name)).toEqual(
        expect.arrayContaining(['version', 'test', 'package', 'installers']),
      )
    }
  })

  test('lets no code of its own or of its dependencies run where something may be written', () => {
    const mighty = Object.values(jobs).filter((job) =>
      Object.values(job.permissions ?? {}).includes('write'),
    )
    expect(mighty).toHaveLength(3)
    const steps = mighty.flatMap((job) => job.steps ?? [])
    expect(steps.filter(({ uses }) => uses?.includes('checkout'))).toEqual([])
    expect(
      steps.filter(({ run }) =>
        /npm (ci|install|run|test|exec)|npx|docker (build|run|load)/.test(run ?? ''),
      ),
    ).toEqual([])
  })

  test('proves where the package was built, and names this repository as the place', () => {
    const publish = jobs['publish']
    expect(publish?.permissions).toEqual({ 'id-token': 'write' })
    expect(publish?.steps?.at(-1)?.run).toContain('--provenance')
    // npm refuses a package whose manifest names another repository than the one that built it.
    const manifest = JSON.parse(read('package.json')) as { homepage: string; repository: unknown }
    expect(manifest.repository).toEqual({ type: 'git', url: `git+${manifest.homepage}.git` })
  })

  test('pushes the image that was run, with the proof of where it was built', () => {
    expect(needsOf('publish-image')).toContain('image')
    expect(jobs['publish-image']?.permissions).toEqual({ packages: 'write' })
    const [build = '', load = '', ...after] = (jobs['image']?.steps ?? []).flatMap(({ run }) =>
      run?.includes('docker buildx create') === true ? [] : (run ?? []),
    )
    expect(build).toMatch(/--platform linux\/amd64,linux\/arm64/)
    expect(build).toMatch(/--provenance mode=max --output type=oci,dest=image\.tar/)
    expect(after).toContain('.github/container/try.sh hub-sandbox')
    // What is tried is made of the same file as what is pushed.
    const [made, tried] = [build, load].map((run) => /--file (\S+)/.exec(run)?.[1])
    expect(tried).toBe(made)
  })

  test('has the installers of the three systems', () => {
    expect(read(`${folder}/release.yml`)).toMatch(
      /ubuntu-latest[^]+--linux[^]+macos-latest[^]+--mac[^]+windows-latest[^]+--win/,
    )
  })
})

test.each(['action.yml', 'finish/action.yml'])(
  '%s of the own action has texts as descriptions',
  (file) => {
    const text = read(`.github/actions/hub-sandbox/${file}`)
    const { description, inputs, outputs } = parse(text) as {
      description: unknown
      inputs?: Record<string, { description: unknown }>
      outputs?: Record<string, { description: unknown }>
    }
    const parts = [...Object.values(inputs ?? {}), ...Object.values(outputs ?? {})]
    expect(parts).not.toEqual([])
    const descriptions = [description, ...parts.map((part) => part.description)]
    expect(descriptions.filter((each) => typeof each !== 'string')).toEqual([])
  },
)

test('every workflow takes an action at the same version', () => {
  const hashes = new Map<string, Set<string>>()
  const texts = workflows.map(({ text }) => text).join('\n')
  for (const [, action = '', hash = ''] of texts.matchAll(/uses: ([^@\s]+)@(\w+)/g)) {
    hashes.set(action, (hashes.get(action) ?? new Set()).add(hash))
  }
  expect([...hashes].filter(([, { size }]) => size > 1)).toEqual([])
})

describe('CI', () => {
  test('runs what a developer runs before a landing, and holds the coverage floor', () => {
    const runs = Object.values(jobsOf('ci.yml').jobs).flatMap(({ steps }) => steps ?? [])
    const commands = runs.flatMap(({ run }) => run ?? [])
    // In place of the short set, everything.
    const checked = (scripts['check'] ?? '').replace(/npm test$/, 'npm run test:all').split(' && ')
    expect(commands).toEqual(expect.arrayContaining([...checked, '.ci/run', 'npm run coverage']))
  })
})
