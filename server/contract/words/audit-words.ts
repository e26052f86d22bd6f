// Words of the audits.

/** Program that an audit judges. */
export const auditKinds = ['app', 'receiver'] as const
export type AuditKind = (typeof auditKinds)[number]

/**
 * Outcomes of a module. `tolerated`: a mistake that the standard allows; `inconclusive`: the program showed nothing that
 * decides; `not-applicable`: the program does not use what the module is about; `not-reached`: the audit ended before.
 */
export const auditOutcomes = [
  'passed',
  'failed',
  'tolerated',
  'inconclusive',
  'not-applicable',
  'not-reached',
] as const
export type AuditOutcome = (typeof auditOutcomes)[number]

/** Sets of modules. */
export const auditPlans = ['core', 'full', 'oidf'] as const
export type AuditPlan = (typeof auditPlans)[number]

/** States of an audit. `broken`: it could not judge, because something could not be reached. */
export const auditStates = ['running', 'waiting', 'finished', 'stopped', 'broken'] as const
export type AuditState = (typeof auditStates)[number]

/** Ways to sign in to an app: a browser of the sandbox, a person, or a program that continues the audit. */
export const auditDrivers = ['browser', 'person', 'program'] as const

/** Steps that an audit of an app waits for. */
export const auditSteps = ['sign-in', 'use', 'probe', 'restart'] as const
export type AuditStep = (typeof auditSteps)[number]

/** Kinds of sign-in that an audit can judge. */
export const auditFlows = ['sign-in', 'device'] as const
export type AuditFlow = (typeof auditFlows)[number]
