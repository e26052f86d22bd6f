import type { DemoRequest } from '../../../../server/contract/control-demos.ts'

/** Flow that the presenter starts by a key; the same letter with Shift is refused. */
export interface ScriptedFlow {
  key: string
  title: string
  run: DemoRequest
  refused: DemoRequest
}

/** Flows on keys, in the order in which the notes list them. */
export const scriptedFlows: readonly ScriptedFlow[] = [
  {
    key: 's',
    title: 'sign-in',
    run: { kind: 'sign-in' },
    refused: { kind: 'refused', variant: 'redirect-uri' },
  },
  {
    key: 'd',
    title: 'device',
    run: { kind: 'device' },
    refused: { kind: 'device', decision: 'deny' },
  },
  {
    key: 'e',
    title: 'exchange',
    run: { kind: 'exchange' },
    refused: { kind: 'refused', variant: 'not-a-member' },
  },
  {
    key: 'r',
    title: 'refresh',
    run: { kind: 'refresh' },
    refused: { kind: 'refused', variant: 'used-refresh-token' },
  },
  {
    key: 'u',
    title: 'step-up',
    run: { kind: 'step-up' },
    refused: { kind: 'step-up', decision: 'deny' },
  },
  {
    key: 'q',
    title: 'silent',
    run: { kind: 'silent' },
    refused: { kind: 'refused', variant: 'login-required' },
  },
  {
    key: 'w',
    title: 'webhook',
    run: { kind: 'webhook' },
    refused: { kind: 'failing-webhook' },
  },
]
