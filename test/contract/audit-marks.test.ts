import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../../server/cli/connect.ts'
import { flowSummary } from '../../server/cli/flow-lines.ts'
import { readCases } from '../../server/cli/read-run.ts'
import type { FlowList, Overview, RequestList } from '../../server/contract/control-types.ts'
import { sandboxMatchers } from '../../server/client/matchers.ts'
import { startAuditedApp } from '../helpers/audited-app.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'

test('what an audit provoked is marked, and only the failure of the app counts', async () => {
  const sandbox = await startTestSandbox()
  const app = await startAuditedApp(sandbox)
  onTestFinished(() => app.close())
  const { clientId, start, signedIn } = app
  const only = ['token/server-error', 'callback/denied']
  await sandbox.audit.app({ clientId, start, signedIn, only })
  const read = <T>(path: string) => sandbox.control<T>('GET', path)
  const refusedCount = async () =>
    (await read<Overview>('overview')).requestDensity.spans.reduce(
      (sum, { refused }) => sum + refused,
      0,
    )
  const provoked = (await read<RequestList>('requests?refused=1')).items
  expect(provoked.length).toBeGreaterThan(0)
  expect(provoked.every(({ audit }) => audit === true)).toBe(true)
  expect((await read<Overview>('overview')).signIns.recent).toEqual([])
  expect(await refusedCount()).toBe(0)
  await expect(sandboxMatchers.toHaveSignedIn(sandbox, 'alice')).rejects.toThrow(
    'toHaveSignedIn() had nothing to judge: no sign-in was started except by an audit',
  )
  await expect(sandboxMatchers.toHaveUsedPkce(sandbox)).rejects.toThrow('nothing to judge')

  const query = { client_id: clientId, response_type: 'code', scope: 'openid' }
  await fetch(
    `${sandbox.url}/oauth/authorize?${new URLSearchParams({ ...query, redirect_uri: 'http://localhost:1/no' })}`,
  )
  const flows = (await read<FlowList>('flows')).items
  const [own, ...others] = flows.filter(({ audit }) => audit !== true)
  expect(others).toEqual([])
  expect(flows.length).toBeGreaterThan(1)
  expect((await read<Overview>('overview')).signIns.recent.map(({ id }) => id)).toEqual([own?.id])
  expect(await refusedCount()).toBe(1)
  expect(await sandboxMatchers.toHaveSignedIn(sandbox, 'alice')).toMatchObject({ pass: false })
  const { call } = await connect({ url: sandbox.url })
  expect((await readCases(call)).map(({ id }) => id)).toEqual([own?.id])
  const results = flows.map((flow) => [flow.id === own?.id, flowSummary(flow)[4]] as const)
  for (const [isOwn, result] of results) expect(result?.endsWith(' (audit)')).toBe(!isOwn)
}, 60_000)
