import { join } from 'node:path'
import { pythonPackages } from '../helpers/recipes/needs.ts'
import { publishes } from '../helpers/recipes/publishes.ts'
import { recipe } from '../helpers/recipes/recipe.ts'

recipe(
  {
    folder: 'trusted-publishing-gitlab',
    needs: [pythonPackages],
    flags: ['--ci', 'gitlab', '--ci-claim', 'project_path=alice/train'],
    sandbox: (source) => ({ fixtures: join(source, 'hub.json') }),
  },
  publishes,
)
