import type {
  AddBarrierRequest,
  AddedBarrier,
  AddedFault,
  AddFaultRequest,
  Barrier,
  ClockReading,
  FaultItem,
  KeyItem,
  MintedToken,
  MintTokenRequest,
  ReleasedBarrier,
  RotatedKey,
  RotateKeyRequest,
  TokenItem,
  TokenQuery,
} from '../contract/control-types.ts'

// What the handle of a sandbox has under a name of its own, such as `clock`.

export interface SandboxClock {
  /**
   * The time of the sandbox.
   * @example
   * const { now, frozen } = await sandbox.clock.read()
   */
  read(): Promise<ClockReading>
  /**
   * Moves on.
   * @param duration `8h`, `90s`, `1h30m`
   * @example
   * await sandbox.clock.advance('8h')
   */
  advance(duration: string): Promise<ClockReading>
  /**
   * Goes to a time.
   * @example
   * await sandbox.clock.set('2030-01-01T00:00:00Z')
   */
  set(time: Date | string): Promise<ClockReading>
  /**
   * Stands still.
   * @example
   * await sandbox.clock.freeze()
   */
  freeze(): Promise<ClockReading>
  /**
   * Runs on.
   * @example
   * await sandbox.clock.resume()
   */
  resume(): Promise<ClockReading>
  /**
   * From one due retry to the next, until none waits.
   * @example
   * const { offsetMs } = await sandbox.clock.runUntilIdle()
   */
  runUntilIdle(): Promise<ClockReading>
}

export interface SandboxFaults {
  /**
   * Changes answers, or breaks them.
   * @example
   * await sandbox.faults.add({ match: { route: '/oauth/token' }, oauthError: 'server_error', times: 1 })
   */
  add(rule: FaultRule): Promise<AddedFault>
  /**
   * The rules, with how often each was used.
   * @example
   * const [rule] = await sandbox.faults.list()
   */
  list(): Promise<FaultItem[]>
  /**
   * Ends a rule.
   * @example
   * const { id } = await sandbox.faults.add({ match: { webhookId: '*' }, break: 'reset' })
   * await sandbox.faults.remove(id)
   */
  remove(id: string): Promise<void>
  /**
   * Ends all rules.
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
   * The barriers, with the requests that wait at each.
   * @example
   * const [barrier] = await sandbox.barriers.list()
   */
  list(): Promise<Barrier[]>
  /**
   * Lets the requests go that wait.
   * @param order request ids, first to go first
   * @example
   * const [barrier] = await sandbox.barriers.list()
   * if (barrier) await sandbox.barriers.release(barrier.id, barrier.held.toReversed())
   */
  release(id: string, order?: readonly string[]): Promise<ReleasedBarrier>
}

export interface SandboxKeys {
  /**
   * The published keys.
   * @example
   * const current = (await sandbox.keys.list()).find(({ state }) => state === 'current')
   */
  list(): Promise<KeyItem[]>
  /**
   * Signs with a new key from here on.
   * @example
   * const { kid } = await sandbox.keys.rotate({ keepOld: false })
   */
  rotate(options?: RotateKeyRequest): Promise<RotatedKey>
}

export interface SandboxTokens {
  /**
   * The access tokens, oldest first.
   * @example
   * const [token] = await sandbox.tokens.list({ user: 'alice', state: 'active' })
   */
  list(which?: TokenSelection): Promise<TokenItem[]>
  /**
   * Makes an access token of an app, or with `role` a user access token.
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

/** Which access tokens are meant; none left out = all. */
export type TokenSelection = Omit<TokenQuery, 'cursor' | 'limit'>

/** What a fault rule is made from. */
export type FaultRule = AddFaultRequest
export type HeldBarrier = ReleasedBarrier
