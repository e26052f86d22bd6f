import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  cancelJob,
  duplicateJob,
  getJob,
  listJobHardware,
  listJobs,
  runJob,
  streamJobEvents,
  streamJobLogs,
  streamJobMetrics,
} from '@huggingface/hub'
import { describe, expect, test } from 'vitest'
import type { ApiJob } from '../../node_modules/@huggingface/hub/dist/src/types/api/api-jobs.d.ts'
import { callerAt, nextPage } from '../helpers/cast.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const accessToken = 'hf_sandbox_alice'

const program = `
const { LANG, PATH, HOME, TMPDIR, ...environment } = process.env
console.log(JSON.stringify(environment))
console.error('cwd ' + (process.cwd() === HOME))
setTimeout(() => process.exit(Number(process.env.EXIT ?? 0)), Number(process.env.SLEEP_MS ?? 0))
`

async function start(image?: string, runJobsEnv: string[] = []) {
  const file = join(temporaryDirectory(), 'program.cjs')
  await writeFile(file, program)
  const sandbox = await startTestSandbox({
    ...(image !== undefined && { runJobs: { [image]: `"${process.execPath}" "${file}"` } }),
    runJobsEnv,
  })
  const client = { hubUrl: sandbox.url, accessToken, namespace: 'alice' }
  const logsOf = async (jobId: string) => {
    const lines: string[] = []
    for await (const { message } of streamJobLogs({ ...client, jobId })) lines.push(message)
    return lines
  }
  const alice = callerAt(sandbox, accessToken)
  /** Returns the environment that a job has printed. */
  const variablesOf = async (jobId: string) => {
    const line = (await logsOf(jobId)).find((text) => text.startsWith('{')) ?? ''
    return JSON.parse(line) as Record<string, string>
  }
  /** Sends an event to a webhook, and returns the delivery. */
  async function deliver({ webhook }: SetWebhook): Promise<Delivery> {
    const { deliveries } = await sandbox.trigger({ event: 'repo.config', repo: 'acme/corpus' })
    await sandbox.idle()
    const id = deliveries.find(({ webhookId }) => webhookId === webhook.id)?.id
    return sandbox.control<Delivery>('GET', `deliveries/${id}`)
  }
  return { sandbox, client, logsOf, variablesOf, deliver, alice }
}

interface SetWebhook {
  webhook: { id: string; job: { secrets: string[] } }
}
interface Delivery {
  id: string
  messageId: string
  state: string
  payload: unknown
  attempts: { jobId: string }[]
}
const flavor = 'cpu-basic'
const invalid = (path: string) => ({ status: 400, body: { issues: [{ path }] } })
const dockerImage = 'python:3.12'

describe('jobs by the hub’s JavaScript client', () => {
  test('events are the stages of a job, and metrics those of its process', async () => {
    const { client, alice } = await start('looping', ['SLEEP_MS'])
    const environment = { SLEEP_MS: '600000' }
    const { id: jobId } = await runJob({ ...client, flavor, dockerImage: 'looping', environment })
    const stages: string[] = []
    const events = (async () => {
      for await (const event of streamJobEvents({ ...client, jobId })) {
        stages.push((JSON.parse(event) as { stage: string }).stage)
      }
    })()
    for await (const sample of streamJobMetrics({ ...client, jobId })) {
      expect(JSON.parse(sample)).toMatchObject({
        cpu_usage_pct: expect.any(Number),
        cpu_millicores: 2000,
        memory_used_bytes: expect.any(Number),
        memory_total_bytes: 16 * 1024 ** 3,
        replica: jobId.slice(-5),
      })
      break
    }
    await cancelJob({ ...client, jobId })
    await events
    expect([stages[0], stages.at(-1)]).toEqual(['RUNNING', 'CANCELED'])
    expect(await alice.get(`/api/jobs/alice/${jobId}/metrics`)).toMatchObject({
      status: 406,
      body: { error: 'The job is not running' },
    })
  })

  test('jobs are recorded and not executed unless allowed', async () => {
    const { client, logsOf } = await start()
    const job = await runJob({
      ...client,
      dockerImage,
      flavor,
      command: ['python', '-c', 'print(1)'],
      environment: { A: '1' },
      secrets: { B: 'geheim' },
      labels: { team: 'x' },
    })
    expect(job).toMatchObject({
      type: 'job',
      status: { stage: 'COMPLETED', message: expect.stringContaining('--run-jobs python:3.12=') },
      owner: { name: 'alice', type: 'user' },
      initiator: { type: 'user', name: 'alice' },
      dockerImage,
      command: ['python', '-c', 'print(1)'],
      environment: { A: '1' },
      secrets: ['B'],
      labels: { team: 'x' },
    })
    expect(JSON.stringify(job)).not.toContain('geheim')
    expect(await logsOf(job.id)).toEqual([
      expect.stringMatching(/^===== Job started/),
      expect.stringContaining('not executed'),
    ])
    const again = await duplicateJob({ ...client, jobId: job.id })
    expect(again.id).not.toBe(job.id)
    expect(again).toMatchObject({
      environment: { A: '1' },
      initiator: { type: 'duplicated-job' },
      createdBy: { name: 'alice' },
    })
    const count = async (query: string) => {
      const url = `${client.hubUrl}/api/jobs/alice/count${query}`
      const headers = { authorization: `Bearer ${accessToken}` }
      return (await fetch(url, { headers })).json()
    }
    const all = (await listJobs(client)).length
    expect(await count('')).toEqual({ count: all })
    expect(await count('?label=none=such')).toEqual({ count: 0 })
    expect((await listJobs(client)).map(({ id }) => id).slice(0, 2)).toEqual([again.id, job.id])
    expect(await listJobHardware(client)).toContainEqual(expect.objectContaining({ name: flavor }))
  })

  test('jobs run with the allowed variables, all of theirs as JSON, and none of the sandbox', async () => {
    const { client, logsOf, variablesOf } = await start(dockerImage, ['GREETING', 'TOKEN'])
    const job = await runJob({
      ...client,
      dockerImage,
      flavor: 't4-small',
      command: ['python'],
      arguments: ['-x'],
      environment: {
        GREETING: 'hello',
        NODE_OPTIONS: '--require=/tmp/evil.cjs',
        SHELLOPTS: 'xtrace',
        PS4: '$(touch /tmp/evil)',
        MAKEFLAGS: '--eval=$(shell touch /tmp/evil)',
        JOB_ID: 'mine',
        WEBHOOK_PAYLOAD: '{}',
        CPU_CORES: '99',
      },
      secrets: { TOKEN: 'geheim', OTHER: 'auch' },
    })
    const lines = await logsOf(job.id)
    expect(await variablesOf(job.id)).toEqual({
      GREETING: 'hello',
      TOKEN: 'geheim',
      HF_ENDPOINT: client.hubUrl,
      JOB_ID: job.id,
      ACCELERATOR: 't4-small',
      CPU_CORES: '4',
      MEMORY: '15Gi',
      JOB_COMMAND: '["python"]',
      JOB_ARGUMENTS: '["-x"]',
      JOB_ENVIRONMENT: JSON.stringify(job.environment),
      JOB_SECRETS: '{"TOKEN":"geheim","OTHER":"auch"}',
    })
    expect(lines).toContain('cwd true')
    expect(lines[1]).toBe(
      'Not set as variables, but given as JSON in JOB_ENVIRONMENT and JOB_SECRETS: ' +
        'NODE_OPTIONS, SHELLOPTS, PS4, MAKEFLAGS, JOB_ID, WEBHOOK_PAYLOAD, CPU_CORES, OTHER. ' +
        'Start the sandbox with --run-jobs-env NODE_OPTIONS,SHELLOPTS,PS4,MAKEFLAGS,OTHER to have them set.',
    )
    expect(await getJob({ ...client, jobId: job.id })).toMatchObject({
      status: { stage: 'COMPLETED' },
      finishedAt: expect.any(String),
    })
  })

  test.each([
    ['a NUL in a variable', { TOKEN: 'geheim\0' }, /TOKEN holds a NUL character/],
    [
      'a variable that is too large',
      { TOKEN: 'x'.repeat(200_000) },
      /more than the system takes.* TOKEN|JOB_SECRETS/,
    ],
  ])('jobs fail with the reason when they cannot be started: %s', async (_, secrets, reason) => {
    const { client, logsOf, alice } = await start('*', ['TOKEN'])
    const { id } = await runJob({ ...client, dockerImage, flavor, secrets })
    const lines = await logsOf(id)
    const { status } = await getJob({ ...client, jobId: id })
    expect(status).toMatchObject({ stage: 'ERROR', message: expect.stringMatching(reason) })
    expect(lines.at(-1)).toMatch(reason)
    expect(lines.join()).not.toContain('geheim')
    expect(await alice.get('/api/jobs/hardware')).toMatchObject({ status: 200 })
  })

  test('are refused with 429 at the limit of running jobs', async () => {
    const file = join(temporaryDirectory(), 'program.cjs')
    await writeFile(file, program)
    const sandbox = await startTestSandbox({
      fixtures: {
        users: [{ username: 'alice', tokens: [{ token: accessToken }] }],
        config: { caps: { runningJobs: 1 } },
      },
      runJobs: { [dockerImage]: `"${process.execPath}" "${file}"` },
      runJobsEnv: ['SLEEP_MS'],
    })
    const client = { hubUrl: sandbox.url, accessToken, namespace: 'alice' }
    const run = () =>
      runJob({ ...client, dockerImage, flavor, environment: { SLEEP_MS: '600000' } })
    const { id } = await run()
    const refusal = { statusCode: 429, message: expect.stringContaining('config.caps.runningJobs') }
    await expect(run()).rejects.toMatchObject(refusal)
    await expect(duplicateJob({ ...client, jobId: id })).rejects.toMatchObject(refusal)
    expect(await listJobs(client)).toHaveLength(1)
    const recorded = await runJob({ ...client, dockerImage: 'other', flavor })
    expect(recorded.status.stage).toBe('COMPLETED')
    await cancelJob({ ...client, jobId: id })
    await expect.poll(() => run().catch(() => undefined)).toMatchObject({ dockerImage })
  })

  test('log lines have the time of the response that reports them, wherever the clock is', async () => {
    const { sandbox, client, logsOf } = await start()
    await sandbox.clock.advance('9h')
    const { id } = await runJob({ ...client, dockerImage, flavor, command: ['x'] })
    await logsOf(id)
    const answer = await fetch(`${sandbox.url}/api/jobs/alice/${id}/logs`, {
      headers: { authorization: `Bearer ${accessToken}` },
    })
    const printed = [...(await answer.text()).matchAll(/"timestamp":"([^"]+)"/g)]
    expect(printed.length).toBeGreaterThan(0)
    const answeredAt = Date.parse(answer.headers.get('date') ?? '')
    const secondOf = (time = '') => Math.floor(Date.parse(time) / 1000) * 1000
    for (const [, timestamp] of printed) expect(secondOf(timestamp)).toBeLessThanOrEqual(answeredAt)
    expect(answeredAt).toBeGreaterThan(Date.now() + 8 * 3_600_000)
  })

  test('jobs know their hardware, for each listed flavor', async () => {
    const { sandbox, client, logsOf } = await start('*')
    const listed = await listJobHardware({ hubUrl: sandbox.url })
    const names = ['cpu-xl', 'cpu-performance', 'h200', 'h200x2', 'h200x4', 'h200x8']
    expect(listed.map(({ name }) => name)).toEqual(expect.arrayContaining(names))
    expect(listed).toContainEqual({
      name: 'cpu-xl',
      prettyName: 'CPU XL',
      cpu: '16 vCPU',
      ram: '124 GB',
      ephemeralStorage: '1000 GB',
      accelerator: null,
      unitCostMicroUSD: 16_667,
      unitCostUSD: 0.016667,
      unitLabel: 'minute',
    })
    const { id } = await runJob({ ...client, dockerImage, flavor: 'cpu-xl', command: ['x'] })
    expect((await logsOf(id)).join('\n')).toMatch(
      /"ACCELERATOR":"none","CPU_CORES":"16","MEMORY":"124Gi"/,
    )
  })

  test.each(['hasOwnProperty', 'constructor', '__proto__', 'toString', 'spaceId'])(
    'jobs are recorded, not run, for the unconfigured image %s',
    async (image) => {
      const { client } = await start(dockerImage)
      const job = await runJob({ ...client, dockerImage: image, flavor, command: ['x'] })
      expect(job.status).toMatchObject({
        stage: 'COMPLETED',
        message: expect.stringContaining('not executed'),
      })
    },
  )

  test('jobs can be cancelled, and end at their time limit', async () => {
    const { client, logsOf } = await start('*', ['SLEEP_MS'])
    const environment = { SLEEP_MS: '60000' }
    const job = await runJob({ ...client, dockerImage, flavor, environment })
    expect(job.status.stage).toBe('RUNNING')
    expect(await cancelJob({ ...client, jobId: job.id })).toMatchObject({
      status: { stage: 'CANCELED' },
    })
    await logsOf(job.id)
    const late = await runJob({ ...client, dockerImage, flavor, environment, timeoutSeconds: 0.3 })
    await logsOf(late.id)
    expect(await getJob({ ...client, jobId: late.id })).toMatchObject({
      status: { stage: 'ERROR', message: 'the time limit was reached' },
    })
  })
})

describe('/api/jobs', () => {
  test('filters by stage and label, page by page', async () => {
    const { client, alice } = await start()
    for (const team of ['a', 'b', 'a']) {
      await runJob({ ...client, dockerImage, flavor, labels: { team } })
    }
    const names = async (query: string) =>
      (await alice.get<ApiJob[]>(`/api/jobs/alice?${query}`)).body.map(
        ({ labels }) => labels?.['team'],
      )
    expect(await names('label=team%3Da')).toEqual(['a', 'a'])
    expect(await names('stage=RUNNING&stage=ERROR&label=team%3Da')).toEqual([])
    const page = await alice.get<ApiJob[]>('/api/jobs/alice?limit=2')
    const rest = await alice.get<ApiJob[]>(nextPage(page) ?? '')
    expect([page.body.length, rest.body[0]?.labels]).toEqual([2, { team: 'a' }])
  })

  test('takes the id of a resource group in any case, and keeps the job over a restart', async () => {
    const data = temporaryDirectory()
    const resourceGroupId = 'C21cD14aE4eAEEA2B00a2b92'
    const first = await startTestSandbox({ data })
    const { body } = await callerAt(first, accessToken).post<{ id: string }>('/api/jobs/alice', {
      dockerImage: 'python:3.12',
      command: ['true'],
      flavor: 'cpu-basic',
      resourceGroupId,
    })
    await first.close()
    const second = await startTestSandbox({ data })
    const kept = await callerAt(second, accessToken).get(`/api/jobs/alice/${body.id}`)
    expect(kept).toMatchObject({
      status: 200,
      body: { id: body.id, resourceGroupId: resourceGroupId.toLowerCase() },
    })
  })

  test('changes labels', async () => {
    const { client, alice } = await start()
    const { id } = await runJob({ ...client, dockerImage, flavor, labels: { old: '1' } })
    const answer = await alice.put<ApiJob>(`/api/jobs/alice/${id}/labels`, { labels: { new: '2' } })
    expect(answer.body).toMatchObject({ id })
    expect(answer.body.labels).toEqual({ new: '2' })
  })

  test('keeps what only a real machine can do', async () => {
    const { alice } = await start()
    const expose = { ports: [8000, 9000], portsPublic: [9000] }
    const made = await alice.post<{ id: string }>('/api/jobs/alice', {
      dockerImage,
      flavor: 'sprx8',
      attempts: 3,
      expose,
      ssh: { enabled: true },
      timeoutSeconds: Number.MAX_SAFE_INTEGER,
    })
    const { id } = made.body
    const machine = {
      retry: 2,
      expose,
      flavor: 'sprx8',
      status: {
        exposeUrls: [`https://${id}--8000.hf.jobs`, `https://${id}--9000.hf.jobs`],
        sshUrl: `ssh://${id}@ssh.hf.jobs`,
      },
    }
    expect(made.body).toMatchObject(machine)
    expect(made.body).not.toHaveProperty('ssh')
    expect((await alice.get(`/api/jobs/alice/${id}`)).body).toMatchObject(machine)
    const ports = { ports: [7000], portsPublic: [7000] }
    const changed = await alice.put(`/api/jobs/alice/${id}/expose`, ports)
    expect(changed.body).toMatchObject({
      expose: ports,
      status: { exposeUrls: [`https://${id}--7000.hf.jobs`] },
    })
    const wrong = { ports: [7000], portsPublic: [7001] }
    expect((await alice.put(`/api/jobs/alice/${id}/expose`, wrong)).status).toBe(400)
    const scheduled = { jobSpec: { dockerImage, flavor, attempts: 2, expose }, schedule: '@daily' }
    expect((await alice.post('/api/scheduled-jobs/alice', scheduled)).body).toMatchObject({
      jobSpec: { retry: 1, expose },
    })
  })

  test('tells whether the caller may use them', async () => {
    const { sandbox, alice } = await start()
    const { id } = (await alice.post<{ id: string }>('/api/jobs/acme', { dockerImage, flavor }))
      .body
    const check = async (path: string, user = 'alice') => {
      const caller = callerAt(sandbox, `hf_sandbox_${user}`)
      const { status, body } = await caller.post(`/api/jobs/acme/${path}`)
      return [status, body]
    }
    const known = { namespace: { name: 'acme' }, user: { name: 'alice' } }
    expect(await check('auth-check/read')).toMatchObject([200, known])
    expect(await check(`${id}/auth-check/write`)).toMatchObject([200, known])
    expect((await check('auth-check/admin'))[0]).toBe(400)
    expect((await check(`${'0'.repeat(24)}/auth-check/read`))[0]).toBe(404)
    expect((await check('auth-check/read', 'dave'))[0]).toBe(403)
    expect((await check(`${id}/auth-check/read`, 'dave'))[0]).toBe(403)
  })

  test('lists by the stages and labels that the hub knows', async () => {
    const { alice } = await start()
    for (const query of ['stage=lost', 'stage=RUNNING&stage=x', 'label=team', 'label=a%20b=1']) {
      expect((await alice.get(`/api/jobs/alice?${query}`)).status).toBe(400)
      expect((await alice.get(`/api/jobs/alice/count?${query}`)).status).toBe(400)
    }
    expect((await alice.get(`/api/jobs/alice?cursor=${'x'.repeat(2049)}`)).status).toBe(400)
    expect((await alice.get('/api/jobs/alice?stage=RUNNING&stage=DELETED')).status).toBe(200)
  })

  test('refuses jobs that cannot run and callers without the right', async () => {
    const { sandbox, alice } = await start()
    const run = (body: object, path = 'alice', user = alice) => user.post(`/api/jobs/${path}`, body)
    expect(await run({})).toMatchObject(invalid('dockerImage'))
    expect(await run({ dockerImage, flavor, arguments: ['x'.repeat(256 * 1024)] })).toMatchObject({
      status: 400,
      body: {
        error: expect.stringMatching(/^job: A job is limited to 262144 bytes; this one has /),
      },
    })
    expect((await run({ dockerImage, flavor, arguments: ['x'.repeat(250 * 1024)] })).status).toBe(
      200,
    )
    const port = 8000
    const wrong: [member: string, value: unknown][] = [
      ['flavor', 'abacus'],
      ['flavor', 'h100'],
      ['arch', 'mips'],
      ['command', []],
      ['command[0]', ['']],
      ['attempts', 0],
      ['attempts', 1.5],
      ['expose.ports', { ports: Array.from({ length: 21 }, (_, index) => port + index) }],
      ['expose.ports[0]', { ports: [65_536] }],
      ['expose.ports', {}],
      ['expose.portsPublic', { ports: [port], portsPublic: [port + 1] }],
      ['ssh.enabled', { enabled: 'yes' }],
      ['resourceGroupId', 'x'],
      ['volumes', []],
      ['volumes[0].source', [{ type: 'model', mountPath: '/data' }]],
      ['timeoutSeconds', 0],
      ['labels.a b', { 'a b': '1' }],
      ['labels.a', { a: 'x'.repeat(101) }],
    ]
    for (const [member, value] of wrong) {
      const [name = ''] = member.split(/[.[]/)
      const refused = await run({ dockerImage, flavor, [name]: value })
      expect([refused.status, refused.bytes.toString()]).toEqual([
        400,
        expect.stringContaining(member),
      ])
    }
    expect(await run({ dockerImage, environment: { 'A-B': '1' } })).toMatchObject(
      invalid('environment.A-B'),
    )
    expect(await run({ dockerImage }, 'alice', callerAt(sandbox))).toMatchObject({ status: 401 })
    expect(await run({ dockerImage }, 'bob')).toMatchObject({ status: 403 })
    const carol = callerAt(sandbox, 'hf_sandbox_carol')
    expect(await run({ dockerImage }, 'acme', carol)).toMatchObject({ status: 403 })
    expect(await alice.get(`/api/jobs/alice/${'0'.repeat(24)}`)).toMatchObject({
      status: 404,
      body: { error: 'Job not found' },
    })
  })
})

describe('a webhook with a job', () => {
  const watched = [{ type: 'org', name: 'acme' }]

  test('starts the job with exactly the documented variables, and shows its exit code', async () => {
    const { sandbox, client, alice, variablesOf, deliver } = await start(dockerImage, ['EXIT'])
    // Nothing that a webhook tells its job can be said by somebody else.
    const environment = { EXIT: '3', WEBHOOK_ID: 'mine' }
    const secrets = { WEBHOOK_PAYLOAD: 'mine', HF_TOKEN: 'given' }
    const notCopied = { HF_TOKEN: 'of the source' }
    const source = await runJob({ ...client, dockerImage, flavor, environment, secrets: notCopied })
    const made = await alice.post<SetWebhook>('/api/settings/webhooks', {
      jobSourceId: source.id,
      watched,
      secret: 's3cret',
      secrets,
    })
    expect(made.body.webhook).toMatchObject({
      jobSourceId: source.id,
      job: {
        dockerImage,
        environment,
        secrets: Object.keys(secrets),
        flavor,
        timeoutSeconds: null,
      },
    })
    expect(made.body.webhook).not.toHaveProperty('url')
    const delivery = await deliver(made.body)
    // A job that failed has run: it is not run again, nor held against the webhook.
    expect(delivery).toMatchObject({
      state: 'failed',
      attempts: [{ status: 3, error: { class: 'job_failed' } }],
    })
    const jobId = delivery.attempts[0]?.jobId ?? ''
    const variables = {
      HF_ENDPOINT: sandbox.url,
      EXIT: '3',
      WEBHOOK_PAYLOAD: JSON.stringify(delivery.payload),
      WEBHOOK_REPO_ID: 'acme/corpus',
      WEBHOOK_REPO_TYPE: 'dataset',
      WEBHOOK_ID: delivery.messageId,
      WEBHOOK_SECRET: 's3cret',
      ACCELERATOR: 'none',
      CPU_CORES: '2',
      MEMORY: '16Gi',
      JOB_COMMAND: '[]',
      JOB_ARGUMENTS: '[]',
      JOB_ENVIRONMENT: '{"EXIT":"3"}',
      JOB_SECRETS: '{"HF_TOKEN":"given"}',
    }
    expect(await variablesOf(jobId)).toEqual({ ...variables, JOB_ID: jobId })
    const again = await duplicateJob({ ...client, jobId })
    expect(await variablesOf(again.id)).toEqual({ ...variables, JOB_ID: again.id })
    expect(await getJob({ ...client, jobId })).toMatchObject({
      initiator: { type: 'webhook', id: made.body.webhook.id },
      createdBy: { name: 'alice' },
      secrets: ['HF_TOKEN', 'WEBHOOK_SECRET'],
    })
    const path = `/api/settings/webhooks/${made.body.webhook.id}`
    const replay = await alice.post(`${path}/replay/${delivery.id}`)
    expect(replay).toMatchObject({ status: 502, body: { class: 'job_failed' } })
  })

  test('the job has the secrets set for it, none of its source job', async () => {
    const { client, alice } = await start()
    const source = await runJob({ ...client, dockerImage, flavor, secrets: { OF_SOURCE: '1' } })
    const given = { jobSourceId: source.id, watched }
    const made = await alice.post<SetWebhook>('/api/settings/webhooks', given)
    expect(made.body.webhook.job.secrets).toEqual([])
    const path = `/api/settings/webhooks/${made.body.webhook.id}`
    const changed = await alice.post<SetWebhook>(path, { ...given, secrets: { HF_TOKEN: 'given' } })
    expect(changed.body.webhook.job.secrets).toEqual(['HF_TOKEN'])
    expect(await alice.post(path, { ...given, secrets: { 'A-B': '1' } })).toMatchObject(
      invalid('secrets.A-B'),
    )
    const ofNoJob = { url: 'http://localhost:9/', watched, secrets: { HF_TOKEN: 'given' } }
    expect(await alice.post('/api/settings/webhooks', ofNoJob)).toMatchObject(invalid('secrets'))
  })

  test('the job is recorded if execution is not allowed, which counts as success', async () => {
    const { client, alice, deliver } = await start()
    const made = await alice.post<SetWebhook>('/api/settings/webhooks', {
      job: { spaceId: 'acme/demo', command: ['go'] },
      watched,
    })
    const delivery = await deliver(made.body)
    expect(delivery.state).toBe('succeeded')
    const jobId = delivery.attempts[0]?.jobId ?? ''
    expect((await getJob({ ...client, jobId })).environment).toHaveProperty('WEBHOOK_PAYLOAD')
    const path = `/api/settings/webhooks/${made.body.webhook.id}/replay/${delivery.id}`
    expect(await alice.post(path)).toMatchObject({ status: 200, body: { status: 200 } })
  })
})
