// Pages with forms of the contract's operations. Their fields and texts are larger than all other pages together.

export { OperationPage } from "./operations/operation-page.tsx";
export { OperationsPage } from "./operations/operations-page.tsx";
export { SimulatorPage } from "./simulator/simulator-page.tsx";
