package main

import (
	"k8s.io/apiserver/pkg/registry/rest"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/component-base/featuregate"
	dracel "k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"
	"k8s.io/kubernetes/pkg/features"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaim"
)

func celFeatures(gates featuregate.FeatureGate) dracel.Features {
	return dracel.Features{EnableConsumableCapacity: gates.Enabled(features.DRAConsumableCapacity)}
}

// allocatorFeatures does what the scheduler plugin of this minor does inline.
func allocatorFeatures(gates featuregate.FeatureGate) structured.Features {
	return structured.Features{
		AdminAccess:          gates.Enabled(features.DRAAdminAccess),
		ConsumableCapacity:   gates.Enabled(features.DRAConsumableCapacity),
		DeviceBinding:        gates.Enabled(features.DRADeviceBindingConditions),
		DeviceStatus:         gates.Enabled(features.DRAResourceClaimDeviceStatus),
		DeviceTaints:         gates.Enabled(features.DRADeviceTaints),
		PartitionableDevices: gates.Enabled(features.DRAPartitionableDevices),
		PrioritizedList:      gates.Enabled(features.DRAPrioritizedList),
	}
}

func claimStrategy(namespaces typedcorev1.NamespaceInterface) rest.RESTCreateStrategy {
	return resourceclaim.NewStrategy(namespaces)
}

// isNodeError is false: every error of this minor's allocator ends the scheduling attempt.
func isNodeError(error) bool {
	return false
}

// explainCEL says of a runtime error what the allocator of this minor says.
func explainCEL(err error) error {
	return err
}
