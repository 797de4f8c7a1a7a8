package main

import (
	"errors"

	"k8s.io/apiserver/pkg/registry/rest"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/component-base/featuregate"
	dracel "k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"
	"k8s.io/kubernetes/pkg/features"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaim"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/dynamicresources"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/feature"
)

func celFeatures(gates featuregate.FeatureGate) dracel.Features {
	return dracel.Features{
		EnableConsumableCapacity: gates.Enabled(features.DRAConsumableCapacity),
		EnableListTypeAttributes: gates.Enabled(features.DRAListTypeAttributes),
	}
}

func allocatorFeatures(gates featuregate.FeatureGate) structured.Features {
	return dynamicresources.AllocatorFeatures(feature.NewSchedulerFeaturesFromGates(gates))
}

// claimStrategy needs no authorizer: only a change of the status is authorized.
func claimStrategy(namespaces typedcorev1.NamespaceInterface) rest.RESTCreateStrategy {
	return resourceclaim.NewStrategy(namespaces, nil)
}

// isNodeError tells an error that rules out one node from one that ends the scheduling attempt.
func isNodeError(err error) bool {
	return errors.Is(err, structured.ErrFailedAllocationOnNode)
}

// explainCEL says of a runtime error what the allocator of this minor says.
func explainCEL(err error) error {
	return dracel.EnhanceRuntimeError(err)
}
