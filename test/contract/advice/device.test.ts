import { adviceWorld, error, warning } from '../../helpers/advice.ts'

const { call, startDevice, wait, fault, atOnce, testRule } = adviceWorld()

const decide = (userCode: string, decision: 'approve' | 'deny') =>
  call('POST', `device/${userCode}`, { user: 'alice', decision })

/** A device that waits as it is told. */
async function signInWell(): Promise<void> {
  const { poll, userCode } = await startDevice()
  for (let times = 0; times < 3; times++) {
    await wait('5s')
    await poll()
  }
  await decide(userCode, 'approve')
  await wait('5s')
  await poll()
}

const silent = { 'a device that waits for the interval': signInWell }

/** Polls twice before the interval is over; the sandbox answers slow_down to the second one only. */
async function pollFast(times: number): Promise<void> {
  const { poll } = await startDevice()
  for (let time = 0; time < times; time++) {
    await wait('6s')
    await poll()
    await wait('2s')
    await poll()
    await wait('10s')
  }
}

/** Polls without any pause, and never learns that this is too fast. */
async function pollWithoutPause(): Promise<void> {
  await fault({ match: { route: '/oauth/token' }, oauthError: 'authorization_pending' })
  const { poll } = await startDevice()
  for (let times = 0; times < 6; times++) await poll()
}

testRule('device/too-fast', {
  reports: {
    'two polls before the interval is over': warning(
      () => pollFast(2),
      ['error device/ignores-slow-down'],
    ),
    'the same as an error, if it goes on': error(pollWithoutPause),
  },
  silent,
  guards: { 'only one poll was early': () => pollFast(1) },
})

/** Polls after a slow_down that a fault made, so that the sandbox does not repeat it; the first wait is long enough. */
async function slowDownOnce(laterWait: string): Promise<void> {
  const { poll } = await startDevice()
  await fault({ match: { route: '/oauth/token' }, oauthError: 'slow_down', times: 1 })
  await poll()
  await wait('10s')
  await poll()
  for (let times = 0; times < 2; times++) {
    await wait(laterWait)
    await poll()
  }
}

testRule('device/ignores-slow-down', {
  reports: {
    'a poll right after slow_down': error(async () => {
      const { poll } = await startDevice()
      for (let times = 0; times < 3; times++) await poll()
    }),
    'a device that slows down for one poll only': error(() => slowDownOnce('6s')),
  },
  silent: {
    'a device that slows down': () => slowDownOnce('10s'),
  },
  guards: {
    'a poll was on its way': async () => {
      const { poll } = await startDevice()
      await poll()
      await atOnce(2, poll)
    },
  },
})

testRule('device/polls-on', {
  reports: {
    'a poll after the user has denied': error(async () => {
      const { poll, userCode } = await startDevice()
      await decide(userCode, 'deny')
      await poll()
      await wait('10s')
      await poll()
    }),
  },
  silent,
  guards: {
    'a poll was on its way': async () => {
      const { poll, userCode } = await startDevice()
      await decide(userCode, 'deny')
      await atOnce(2, poll)
    },
    'the server failed': async () => {
      const { poll } = await startDevice()
      await fault({ match: { route: '/oauth/token' }, status: 503, times: 1 })
      await poll()
      await wait('10s')
      await poll()
    },
    'a fault changed the tokens': async () => {
      const { poll, userCode } = await startDevice()
      await decide(userCode, 'approve')
      await fault({ match: { route: '/oauth/token' }, remove: ['access_token'], times: 1 })
      await poll()
      await wait('10s')
      await poll()
    },
  },
})
