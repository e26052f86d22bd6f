import { enterOwnHome } from './own-machine.ts'

enterOwnHome()
