export { findCertificate } from "#/delivery/certificate/repository.ts";
export { addCertificateRoutes, type CertificateContext } from "#/delivery/certificate/routes.ts";
