import type { ControlRoutes } from '../web/control-route.ts'
import { auditLogRoutes, organizationRoutes, userRoutes } from './accounts/control.ts'
import { collectionRoutes } from './collections/control.ts'
import { inferenceEndpointRoutes } from './endpoints/control.ts'
import { jobRoutes } from './jobs/control.ts'
import { keyRoutes } from './oauth/key-control.ts'
import { metadataDocumentRoutes } from './oauth/document-control.ts'
import { publisherRoutes } from './oauth/ci/control.ts'
import { scheduledJobRoutes } from './jobs/schedule-control.ts'
import { repoContentRoutes } from './repo-control/content-control.ts'
import { repoRoutes } from './repo-control/control.ts'
import type { HubServices } from './services.ts'

/** Routes of the control API for things that the Hub has, too. */
export const hubControlRoutes: readonly ControlRoutes<HubServices>[] = [
  metadataDocumentRoutes,
  publisherRoutes,
  userRoutes,
  organizationRoutes,
  auditLogRoutes,
  repoRoutes,
  repoContentRoutes,
  collectionRoutes,
  jobRoutes,
  scheduledJobRoutes,
  inferenceEndpointRoutes,
  keyRoutes,
]
