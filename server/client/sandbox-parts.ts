import type {
  Advice,
  AdviceIgnoreItem,
  AdviceQuery,
  AdviceRule,
  AddBarrierRequest,
  AddedBarrier,
  AddedFault,
  AddFaultRequest,
  Barrier,
  ClockReading,
  ExperimentItem,
  FaultItem,
  IgnoreAdviceRequest,
  KeyItem,
  MintedToken,
  MintTokenRequest,
  OpenSpaceFrameRequest,
  ReleasedBarrier,
  RotatedKey,
  RotateKeyRequest,
  RunExperimentRequest,
  SpaceFrameDetail,
  SpaceFrameItem,
  TokenItem,
  TokenQuery,
} from '../contract/control-types.ts'

// Parts of a sandbox handle, such as `clock`.

export interface SandboxClock {
  /**
   * The time of the sandbox.
   * @example
   * const { now, frozen } = await sandbox.clock.read()
   */
  read(): Promise<ClockReading>
  /**
   * Moves the clock forward.
   * @param duration `8h`, `90s`, `1h30m`
   * @example
   * await sandbox.clock.advance('8h')
   */
  advance(duration: string): Promise<ClockReading>
  /**
   * Sets the clock to a time.
   * @example
   * await sandbox.clock.set('2030-01-01T00:00:00Z')
   */
  set(time: Date | string): Promise<ClockReading>
  /**
   * Freezes the clock.
   * @example
   * await sandbox.clock.freeze()
   */
  freeze(): Promise<ClockReading>
  /**
   * Resumes a frozen clock.
   * @example
   * await sandbox.clock.resume()
   */
  resume(): Promise<ClockReading>
  /**
   * Advances from retry to retry until none is pending.
   * @example
   * const { offsetMs } = await sandbox.clock.runUntilIdle()
   */
  runUntilIdle(): Promise<ClockReading>
}

export interface SandboxFaults {
  /**
   * Adds a rule that changes or breaks responses.
   * @example
   * await sandbox.faults.add({ match: { route: '/oauth/token' }, oauthError: 'server_error', times: 1 })
   */
  add(rule: FaultRule): Promise<AddedFault>
  /**
   * Lists the rules with their number of hits.
   * @example
   * const [rule] = await sandbox.faults.list()
   */
  list(): Promise<FaultItem[]>
  /**
   * Removes a rule.
   * @example
   * const { id } = await sandbox.faults.add({ match: { webhookId: '*' }, break: 'reset' })
   * await sandbox.faults.remove(id)
   */
  remove(id: string): Promise<void>
  /**
   * Removes all rules.
   * @example
   * await sandbox.faults.clear()
   */
  clear(): Promise<void>
}

export interface SandboxBarriers {
  /**
   * Holds requests until they are released.
   * @example
   * const { id } = await sandbox.barriers.add({ match: { route: '/oauth/token' }, count: 2 })
   */
  add(rule: AddBarrierRequest): Promise<AddedBarrier>
  /**
   * Lists the barriers with their held requests.
   * @example
   * const [barrier] = await sandbox.barriers.list()
   */
  list(): Promise<Barrier[]>
  /**
   * Releases the held requests.
   * @param order request ids in the order of release
   * @example
   * const [barrier] = await sandbox.barriers.list()
   * if (barrier) await sandbox.barriers.release(barrier.id, barrier.held.toReversed())
   */
  release(id: string, order?: readonly string[]): Promise<ReleasedBarrier>
}

export interface SandboxAdvice {
  /**
   * Checks the recorded requests and deliveries for mistakes of apps and receivers.
   * @example
   * const { items } = await sandbox.advice.read({ level: 'error' })
   */
  read(which?: AdviceQuery): Promise<Advice>
  /**
   * Lists the checks.
   * @example
   * const ids = (await sandbox.advice.rules()).map(({ id }) => id)
   */
  rules(): Promise<AdviceRule[]>
  /**
   * Ignores the findings of a check until the next reset. Ignores for good are in the fixtures: `config.advice.ignore`.
   * @example
   * await sandbox.advice.ignore({ rule: 'token/dead-bearer', reason: 'this test sends one on purpose' })
   */
  ignore(what: IgnoreAdviceRequest): Promise<AdviceIgnoreItem>
  /**
   * Runs a function whose requests and deliveries are not judged.
   * @example
   * await sandbox.advice.pause(async () => { await fetch(`${sandbox.url}/api/models?access_token=x`) })
   */
  pause<T>(during: () => T | Promise<T>): Promise<T>
}

export interface SandboxExperiments {
  /**
   * Lists the experiments with the verdicts of their last runs.
   * @example
   * const ids = (await sandbox.experiments.list()).map(({ id }) => id)
   */
  list(): Promise<ExperimentItem[]>
  /**
   * Starts an experiment. Then let the app do what the verdict waits for, and read it again.
   * @example
   * await sandbox.experiments.run('refresh-race')
   */
  run(id: string, request?: RunExperimentRequest): Promise<ExperimentItem>
  /**
   * Reads the verdict of the last run; undefined without one.
   * @example
   * const verdict = await sandbox.experiments.verdict('refresh-race')
   */
  verdict(id: string): Promise<ExperimentItem['verdict']>
  /**
   * Stops an experiment and forgets its verdict.
   * @example
   * await sandbox.experiments.stop('refresh-race')
   */
  stop(id: string): Promise<void>
}

export interface SandboxKeys {
  /**
   * Lists the published keys.
   * @example
   * const current = (await sandbox.keys.list()).find(({ state }) => state === 'current')
   */
  list(): Promise<KeyItem[]>
  /**
   * Rotates the signing key.
   * @example
   * const { kid } = await sandbox.keys.rotate({ keepOld: false })
   */
  rotate(options?: RotateKeyRequest): Promise<RotatedKey>
}

export interface SandboxTokens {
  /**
   * Lists the access tokens, oldest first.
   * @example
   * const [token] = await sandbox.tokens.list({ user: 'alice', state: 'active' })
   */
  list(which?: TokenSelection): Promise<TokenItem[]>
  /**
   * Creates an access token of an app, or with `role` a user access token.
   * @example
   * const { access_token } = await sandbox.tokens.mint({ user: 'alice', role: 'read' })
   */
  mint(request: MintTokenRequest): Promise<MintedToken>
  /**
   * Revokes a token.
   * @param token the token, or its id
   * @example
   * const { access_token } = await sandbox.signIn({ user: 'alice' })
   * await sandbox.tokens.revoke(access_token)
   */
  revoke(token: string): Promise<void>
}

export interface SandboxSpaceFrames {
  /**
   * Opens an app in a cross-site frame, as the Hub embeds a Space.
   * @returns `pageUrl` for a browser: the page with the frame; `url`: the app in it
   * @example
   * const { pageUrl } = await sandbox.spaceFrames.open({ target: 'http://localhost:7860' })
   */
  open(request: OpenSpaceFrameRequest): Promise<SpaceFrameItem>
  /**
   * Reads what became of the app's cookies.
   * @example
   * const { id } = await sandbox.spaceFrames.open({ target: 'http://localhost:7860' })
   * const { cookies } = await sandbox.spaceFrames.read(id)
   * const lost = cookies.filter(({ inFrame }) => inFrame?.state === 'not-sent')
   */
  read(id: string): Promise<SpaceFrameDetail>
  /**
   * Changes the rules for the cookies.
   * @example
   * const { id } = await sandbox.spaceFrames.open({ target: 'http://localhost:7860' })
   * await sandbox.spaceFrames.setMode(id, 'partitioned')
   */
  setMode(id: string, mode: SpaceFrameItem['mode']): Promise<SpaceFrameItem>
  /**
   * Lists the open frames.
   * @example
   * const frames = await sandbox.spaceFrames.list()
   */
  list(): Promise<SpaceFrameItem[]>
  /**
   * Closes a frame.
   * @example
   * const { id } = await sandbox.spaceFrames.open({ target: 'http://localhost:7860' })
   * await sandbox.spaceFrames.close(id)
   */
  close(id: string): Promise<void>
}

/** Filter of access tokens; empty = all. */
export type TokenSelection = Omit<TokenQuery, 'cursor' | 'limit'>

/** Definition of a fault rule. */
export type FaultRule = AddFaultRequest
export type HeldBarrier = ReleasedBarrier
