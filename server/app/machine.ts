import { randomBytes } from 'node:crypto'
import type { RunProcess } from '../hub/jobs/run-process.ts'
import type { NewKey } from '../hub/oauth/signing-keys.ts'
import { createOutgoing, type Outgoing } from '../web/outgoing/outgoing.ts'
import type { TargetPolicy } from '../web/outgoing/target-policy.ts'
import { type ListenOptions, type Listeners, openListeners } from './open-listener.ts'
import { runProcess } from './run-job-process.ts'
import { spareKey } from './spare-key.ts'

/** Network, processes and chance of the machine on which a sandbox runs. */
export interface Machine {
  /** @throws {ListenError} */
  openListeners(options: ListenOptions): Promise<Listeners>
  /** Returns the network functions for requests of the sandbox. */
  openNetwork(policy: TargetPolicy): Outgoing
  readonly runProcess: RunProcess
  /** Generates an RSA key. */
  readonly newPrivateKey: () => Promise<NewKey['privateJwk']>
  /** Names a run: random, even with a seed. */
  readonly newRunId: () => string
}

/** The machine of this process. */
export const thisMachine: Machine = {
  openListeners,
  openNetwork: createOutgoing,
  runProcess,
  newPrivateKey: () => spareKey.take(),
  newRunId: () => randomBytes(6).toString('hex'),
}
