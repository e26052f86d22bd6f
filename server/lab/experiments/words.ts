/** Texts of the experiments. */
export const words = {
  // Experiments: expected behaviour
  refusesIdToken: 'Your app should refuse the ID token and use none of the tokens.',
  retriesSlowly: 'Your app should retry a few times at most, or report the failure.',
  waitsForToken: 'Your app should wait 3 seconds for its tokens, then go on.',
  dropsToken: 'Your app should stop using the token, get a new one or ask the user to sign in.',
  signsInAgain:
    'Your app should get a new token or ask the user to sign in, not repeat the request.',
  refusesResponse: 'Your app should refuse the response and send no token request.',
  followsMove: 'Your client should stop using the old server, and register with the new one.',
  refusesMetadata: 'Your client should refuse the metadata and start no sign-in.',
  asksForScope: 'Your client should ask the user for the missing scope, not repeat the call.',
  registersOnce: 'Your client should use another client ID or stop, not register again.',
  failsJob: 'Your job should fail with the reason, or retry a few times with a new ID token.',

  // Experiments: verdicts
  waitingForApp: 'Waiting for your app: start a sign-in with it.',
  watchingApp: 'Your app has the response. Watching what it does next.',
  requestDropped: 'The log no longer has the request. Run it again.',
  refusedToken: 'Your app refused it: no request followed with this token.',
  acceptedToken: (request: string) => `Your app accepted it: it sent ${request} with the token.`,
  hungUp: 'Your app closed the connection before the response.',
  waitedUnused: 'Your app waited, but sent no request with the token.',
  waitedAndUsed: (request: string) => `Your app waited: it sent ${request} with the token.`,
  hammered: (count: number) => `Your app sent ${count} more token requests.`,
  recovered: 'Your app retried and got its tokens.',
  startedAgain: 'Your app started a new sign-in.',
  gaveUp: 'Your app stopped: no token request followed.',
  retryRefused: 'Your app retried, was refused, and stopped.',
  stopped: 'Your app stopped: no request followed.',
  repeated: (request: string) => `Your app repeated ${request} after the refusal.`,
  askedUserAgain: 'Your app asked the user to sign in again.',
  gotNewToken: 'Your app got a new token.',

  refusedResponse: 'Your app refused it: no token request followed.',
  acceptedResponse: (request: string) => `Your app accepted it: it sent ${request} with the code.`,
  leftAlone: 'Your client sent no sign-in request to this server.',
  stayed: (request: string) => `Your client ignored the metadata: it sent ${request}.`,
  askedForScope: 'Your client asked the user for the missing scope.',
  askedForLess: 'Your client started a sign-in without the missing scope.',
  registeredAgain: (count: number) => `Your client tried to register ${count} more times.`,
  usedOtherClient: 'Your client signed in with another client ID.',
  gaveUpRegistration: 'Your client stopped: no sign-in followed.',
  needsIss: 'The sandbox does not send iss: start it with --send-iss.',
  noDemo: (id: string) => `No demo app plays ${id}: run it with your own program.`,
  namesNoApp: (id: string) => `${id} changes a request that names no app: run it for any app.`,

  // Refresh race
  refreshesOnce:
    'Your app should send one refresh and let its other processes wait for the new tokens.',
  survivesGrace: 'Your app should stay signed in, and keep the tokens of one response.',
  waitingForRefreshes:
    'Waiting for your app: let two of its processes refresh the token of one user.',
  holdingRefresh: 'A refresh is held for 3 seconds, until a second one arrives.',
  refreshedOnce: 'Your app sent one refresh: no other process sent the same token.',
  sentOldToken: (request: string) =>
    `Your app sent one refresh at a time, but then ${request} sent the old token: the process that waited did not read the new one.`,
  raced: (winner: string, loser: string, isRevoked: boolean) =>
    `Two processes refreshed the same token at once. ${winner} got new tokens. ${loser} was refused, because the token was already used. ${
      isRevoked
        ? 'The Hub took that for theft and revoked the new tokens too: both processes are signed out.'
        : `The process of ${loser} is signed out.`
    }`,
  survivedGrace: (first: string, second: string) =>
    `Two processes refreshed the same token at once. ${first} and ${second} got new tokens each, because the server accepted the old token once more. The Hub has no grace period: there, both would be signed out.`,
  twoSignIns: 'Two refreshes came at once, but with tokens of two sign-ins. Use one user.',
  bothRefused: (error: string) =>
    `The refresh was refused (${error}), so this does not show a race. Sign in again first.`,

  stoppedUsing: 'Your app stopped using the token.',

  // Experiments: verdicts on receivers
  nothingDelivered: 'Nothing was delivered to this webhook yet: trigger an event first.',
  oneDelivered: 'Only one delivery was sent to this webhook yet: trigger another event.',
  tookAll: (count: number) => `Your receiver responded with success to all ${count}.`,
  refusedSome: (failed: number, count: number, error: string) =>
    `Your receiver failed ${failed} of ${count}: ${error}.`,
  notReached: (error: string) => `Your receiver was not reached: ${error}.`,
  waitedForBody: (time: string) => `Your receiver waited ${time} for the body and took it.`,
  respondedEarly: 'Your receiver responded with success before it had the body.',
  refusedSlow: (error: string) => `Your receiver failed: ${error}.`,
  stillWaiting: (time: string) => `Your receiver still waited for the rest after ${time}.`,
  acceptedHalf: (status: number) => `Your receiver responded with ${status} to half of the body.`,
  closed: 'closed the connection',
  respondedWith: (status: number) => `responded with ${status}`,
  endedAtOnce: (how: string) =>
    `Your receiver ${how} at once, so this does not show whether it gives up.`,
  gaveUpAfter: (how: string, time: string) => `Your receiver gave up after ${time}: it ${how}.`,
} as const
