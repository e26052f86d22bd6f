/** Everything that is always true of a sandbox, in the words of a finding. */
export const invariantNames = [
  'a confirmed commit stays in the history of its branch',
  'a file of a confirmed commit has its content',
  'a large file that a repo has is whole',
  'a bucket has the files of its confirmed batches',
  'the Xet storage has what it has confirmed under its URL',
  'a branch or tag is there until it is deleted',
  'a created repo exists, and a deleted one does not',
  'a created webhook exists, and a deleted one does not',
  'an event is delivered to a webhook once',
  'an ordered webhook sends its deliveries one after the other',
  'nothing is sent to a disabled or deleted webhook',
  'a delivery that a receiver has confirmed is not sent again',
  'each delivery comes to its end',
  'each sum is that of the stored deliveries',
  'the attempts of a delivery are numbered without a gap',
  'a delivery is in one state that its attempts explain',
  'a code gives tokens once',
  'a refresh token gives tokens once',
  'a device code gives tokens once',
  'a family has one usable refresh token',
  'a token is valid as long as its grant',
  'a token of a user is exchanged for members only',
  'who denies gives nothing',
  'a job writes to the repo that trusts it',
  'no token outlives its user or app',
  'a private repo is visible to members only',
  'a repo is written to by its writers only',
  'each ref of a repo points to a whole history',
  'a clone has all confirmed commits',
  'a confirmed comment stays in its place',
  'a discussion has the status that was confirmed',
  'the discussions of a repo are numbered without a gap',
  'nothing outlives what it belongs to',
  'what is exported can be loaded again',
  'an organization exists under its name until it is deleted',
  'a right decides each request',
  'git finds no fault in a repo',
  'a snapshot is there until it is deleted',
  'a confirmed job is there, and goes forward only',
  'a job runs as long as its process',
  'a token of a job ends with it',
  'an attempt of a job webhook starts one job',
  'a schedule starts one job at each due time',
  'only the newest secret of an app is accepted',
  'a delivery carries the present secret of its webhook',
  'a user token is valid until it expires or is revoked',
  'a suspended webhook sends nothing, and says why',
  'a damaged file is not served',
  'a stopped process holds nothing',
  'no request fails inside of the server',
  'a refusal of the disk is named',
  'each request has a response',
  'the sandbox starts on what a crash leaves',
  'the process neither warns nor fails',
] as const
export type InvariantName = (typeof invariantNames)[number]

/** Something that must be true was not. */
export class Violation extends Error {
  override readonly name = 'Violation'
  readonly invariant: InvariantName

  constructor(invariant: InvariantName, problem: string) {
    super(problem)
    this.invariant = invariant
  }
}
