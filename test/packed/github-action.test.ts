import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { documents } from '../helpers/documents.ts'
import { freePort } from '../helpers/free-port.ts'
import { Job } from '../helpers/github/runner.ts'
import { installPacked, root } from '../helpers/packed.ts'
import { hasProgram } from '../helpers/programs.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const folder = join(root, '.github/actions/hub-sandbox')
const action = join(folder, 'action.yml')
const finish = join(folder, 'finish/action.yml')

describe('the files of the action', () => {
  const definitions = [action, finish].map((path) => readFileSync(path, 'utf8'))
  const steps = definitions.flatMap(
    (text) => (parse(text) as { runs: { steps: { run: string; env?: object }[] } }).runs.steps,
  )

  test('put nothing that others write into a shell', () => {
    expect(steps.flatMap(({ run }) => run.match(/\$\{\{/g) ?? [])).toEqual([])
  })

  // No version has been released, so there is no tag of one.
  test('are named by the main branch where it is told how to use them', () => {
    const texts = [...definitions, ...documents.map(({ text }) => text)].join('\n')
    const named = [...texts.matchAll(/actions\/hub-sandbox(?:\/finish)?@(\S+)/g)]
    expect(named.map(([, tag]) => tag)).toEqual(named.map(() => 'main'))
    expect(named.length).toBeGreaterThan(3)
  })

  test('are all there, and each is used', () => {
    const used = steps.flatMap(({ run }) => /\$GITHUB_ACTION_PATH\/([\w.]+)/.exec(run)?.[1] ?? [])
    const scripts = [...readdirSync(folder), ...readdirSync(join(folder, 'finish'))]
      .filter((name) => /\.(sh|mjs)$/.test(name))
      .map((name) => [
        name,
        readFileSync(join(folder, existsSync(join(folder, name)) ? '' : 'finish', name), 'utf8'),
      ])
    const named = scripts.map(([, text]) => text).join('\n')
    const unused = scripts.filter(([name = '']) => !used.includes(name) && !named.includes(name))
    expect(unused.map(([name]) => name)).toEqual([])
    expect(used.filter((name) => !scripts.some(([script]) => script === name))).toEqual([])
  })
})

describe('the steps of the action, run as plain shell', { timeout: 120_000 }, () => {
  let obstacle: string | undefined
  let packed: string
  let tarball: string

  beforeAll(() => {
    const installed = installPacked()
    packed = installed.folder
    obstacle = installed.obstacle ?? (hasProgram('bash') ? undefined : 'bash is not installed')
    tarball = readdirSync(packed).find((name) => name.endsWith('.tgz')) ?? ''
  }, 240_000)
  afterAll(() => rmSync(packed, { recursive: true, force: true }))
  beforeEach(({ skip }) => skip(obstacle !== undefined, obstacle))

  /** A job whose sandbox ends with the test, whatever became of it. */
  function startJob(env: Record<string, string> = {}): Job {
    const job = new Job(temporaryDirectory(), {
      HOME: temporaryDirectory(),
      ...env,
    })
    onTestFinished(() => job.killSandbox())
    return job
  }
  const named = async (more: Record<string, string> = {}) => ({
    package: join(packed, tarball),
    port: String(await freePort()),
    ...more,
  })
  /** How many a new sandbox shows that opens what was kept. */
  async function signInsIn(artifact: string): Promise<number> {
    const name = readdirSync(artifact).find((file) => file.endsWith('.hubsandbox')) ?? ''
    const sandbox = await startTestSandbox({ fixtures: join(artifact, name) })
    return (await sandbox.control<{ items: unknown[] }>('GET', 'flows')).items.length
  }
  const whoami = `node -e "
    const headers = { authorization: 'Bearer hf_sandbox_alice' }
    fetch(process.env.HF_ENDPOINT + '/api/whoami-v2', { headers })
      .then((answer) => answer.json())
      .then(({ name }) => console.log('I am ' + name))"`

  test('give the following steps a sandbox, and sum up what they did at the end', async () => {
    const job = startJob()
    const inputs = await named()
    const started = job.use(action, inputs)
    expect(started.log).toContain(`answers at http://localhost:${inputs.port}`)
    expect(started.outputs).toMatchObject({
      url: `http://localhost:${inputs.port}`,
      'dashboard-url': `http://localhost:${inputs.port}/_sandbox/`,
      'control-token': '',
    })
    expect(job.env).toMatchObject({
      HF_ENDPOINT: started.outputs['url'],
      OAUTH_CLIENT_SECRET: expect.any(String),
    })
    expect(job.run(whoami).log).toBe('I am alice\n')
    // The command is there, too, and finds it.
    expect(job.run('hub-sandbox demo sign-in --yes').code).toBe(0)
    expect(job.run('hub-sandbox demo refused').code).toBe(0)
    const ended = job.use(finish)
    expect(ended.code).toBe(0)
    expect(job.summary).toMatch(/^### hub-sandbox\n[^]*\| Sign-ins \| [1-9]/)
    const artifact = ended.outputs['artifact'] ?? ''
    expect(readdirSync(artifact).toSorted()).toEqual([
      expect.stringMatching(/^\d{8}-\d{6}-.*\.html$/),
      expect.stringMatching(/^\d{8}-\d{6}-.*\.hubsandbox$/),
      'sandbox.log',
      'summary.json',
      'summary.md',
    ])
    expect(await signInsIn(artifact)).toBeGreaterThan(1)
    await expect(fetch(`${started.outputs['url']}/oauth/jwks`)).rejects.toThrow('fetch failed')
  })

  test('sum up after a step that failed, too', async () => {
    const job = startJob()
    job.use(action, await named())
    job.run('hub-sandbox demo refused pkce; exit 3')
    expect(job.failed).toBe(true)
    expect(job.use(finish).code).toBe(0)
    expect(job.summary).toMatch(/\*\*Failed\*\*\n\n- /)
  })

  test('fail for a mistake that the steps do not notice, over a reset', async () => {
    const mistake = `node -e "
      const { HUB_SANDBOX_URL: url } = process.env
      fetch(url + '/api/models?access_token=hf_sandbox_alice')
        .then(() => fetch(url + '/_sandbox/api/reset', { method: 'POST' }))"`
    const job = startJob()
    job.use(action, await named())
    expect(job.run(mistake).code).toBe(0)
    const ended = job.use(finish, { 'fail-on': 'error' })
    expect(ended.code).toBe(1)
    expect(ended.log).toMatch(/^::error [^\n]*title=token\/secret-in-url/m)
    expect(job.summary).toMatch(/^### hub-sandbox checks\n[^]*\*\*Fix:\*\*/m)

    const script = startJob()
    const failed = script.use(action, await named({ run: mistake, 'fail-on': 'error' }))
    expect(failed.code).toBe(1)
    expect(failed.log).toContain('token/secret-in-url')
  })

  test('take the package of the project, and say so where there is none', async () => {
    const without = startJob()
    const { package: _, ...inputs } = await named()
    const refused = without.use(action, inputs)
    expect(refused.code).toBe(2)
    expect(refused.log).toMatch(/^::error [^\n]*There is no hub-sandbox in .*input package\.\n$/)
    expect(without.use(finish)).toMatchObject({
      code: 0,
      log: expect.stringContaining('No sandbox'),
    })

    const job = startJob()
    job.run(`npm install --no-audit --no-fund --silent '${join(packed, tarball)}'`)
    expect(job.use(action, inputs).code).toBe(0)
  })

  test('keep the control token out of the log, and hand it to the steps', async () => {
    const job = startJob()
    const { outputs, log } = job.use(action, await named({ flags: '--control-token' }))
    const token = outputs['control-token'] ?? ''
    expect(job.masked).toEqual([token])
    expect(log.replace(`::add-mask::${token}\n`, '')).not.toContain(token)
    expect(outputs['dashboard-url']).toContain(encodeURIComponent(token))
    expect(job.run('hub-sandbox status').code).toBe(0)
    job.use(finish)
    expect(job.summary).not.toContain(token)
  })

  test('end with the sentence of a sandbox that cannot start', async () => {
    const job = startJob()
    const wrong = job.use(action, await named({ flags: '--seed=x' }))
    expect(wrong.code).toBe(2)
    expect(wrong.log).toMatch(
      /^::error title=hub-sandbox::.*%0A {2}--seed: must be a whole number, not "x"/,
    )
    const impatient = job.use(action, await named({ wait: 'soon' }))
    expect(impatient.log).toContain('The input wait must be a number of seconds, not soon.')
  })

  test('take each line of the flags for one flag, whatever is in it', async () => {
    const job = startJob()
    const name = `it's "$(touch pwned)" \`touch pwned\`; touch pwned & .json`
    writeFileSync(join(job.workspace, name), '{ "users": [{ "username": "zoe" }] }')
    const flags = '\n  --auto-approve zoe\r\n\n--allow-origin=https://a.example\n'
    const started = job.use(action, await named({ fixtures: name, flags }))
    expect(started.log).toContain('answers at')
    expect(job.run('hub-sandbox status').log).toContain(name)
    expect(existsSync(join(job.workspace, 'pwned'))).toBe(false)
  })

  test.each(['$(touch pwned)', '; touch pwned', '--version', "'", '\n::set-env name=x::y'])(
    'have no use for the package %j, and run nothing of it',
    async (name) => {
      const job = startJob()
      const { code, log } = job.use(action, { ...(await named()), package: name })
      expect(code).toBe(2)
      expect(log).not.toMatch(/^::set-env/m)
      expect(existsSync(join(job.workspace, 'pwned'))).toBe(false)
    },
  )

  test('warn of a token that is not of a sandbox', async () => {
    const job = startJob({ HF_TOKEN: 'hf_of_the_real_hub' })
    const { log } = job.use(action, await named())
    expect(log).toMatch(/^::warning [^\n]*HF_TOKEN holds a token/m)
    expect(log).not.toContain('hf_of_the_real_hub')
    expect(job.env['HF_TOKEN_PATH']).toContain(job.env['RUNNER_TEMP'])
  })

  test('tell at the end that the sandbox had died', async () => {
    const job = startJob()
    job.use(action, await named())
    job.run('kill -9 "$(cat "$HUB_SANDBOX_ACTION_FOLDER/pid")"')
    expect(job.use(finish).code).toBe(1)
    expect(job.summary).toContain('The sandbox did not respond at the end of the job.')
  })

  test('give a script a sandbox of its own, end as it does, and sum up', async () => {
    const job = startJob()
    const script = `${whoami}\nhub-sandbox demo sign-in --yes >/dev/null\nenv | grep -c INPUT_ || true\nfalse\necho not reached`
    const done = job.use(action, await named({ run: script, flags: '--seed 7' }))
    const { code, log, outputs } = done
    expect(code).toBe(1)
    expect(log).toContain('I am alice')
    expect(log).toMatch(/^0$/m)
    expect(log).not.toContain('not reached')
    expect(job.summary).toMatch(/\| Sign-ins \| 1 \| 0 \| 0 \|/)
    // Nothing was left for the steps that follow.
    expect(job.env).not.toHaveProperty('HF_ENDPOINT')
    expect(job.use(finish).log).toContain('No sandbox was started')
    expect(await signInsIn(outputs['artifact'] ?? '')).toBe(1)
    expect(startJob().use(action, await named({ run: 'exit 7' })).code).toBe(7)
  })

  test('say what is wrong with the flags before they run the script', async () => {
    const job = startJob()
    const { code, log } = job.use(action, await named({ run: 'echo it ran', flags: '--sed 7' }))
    expect(code).toBe(2)
    expect(log).toContain("unknown option '--sed=7'")
    expect(log).not.toContain('it ran')
  })
})
