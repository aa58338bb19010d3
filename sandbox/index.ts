export { startSandbox } from "./start"
export type {
  FeePaidBy,
  ListBehaviour,
  Sandbox,
  SandboxAuth,
  SandboxOptions,
  SandboxSettings,
} from "./options"
