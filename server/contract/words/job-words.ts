// Words of jobs.

export const openJobStages = ['SCHEDULING', 'RUNNING'] as const
/** Final stages of a job. */
export const finishedJobStages = ['COMPLETED', 'CANCELED', 'ERROR'] as const
export const jobStages = [...openJobStages, ...finishedJobStages, 'DELETED'] as const
/** Processors of a job. */
export const jobArchitectures = ['amd64', 'arm64'] as const

export type JobStage = (typeof jobStages)[number]
